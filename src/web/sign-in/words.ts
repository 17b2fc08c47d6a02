/** Sentences of the ways to sign in other than by password. */
export const signInWords = {
  link: {
    ask: 'Mail me a sign-in link',
    askHint:
      'No password at hand, or forgotten? A link to your address lets you in, and you can set a new password then.',
    title: 'Look into your mail',
    sent: (email: string) =>
      `If somebody signs in here as ${email}, a mail with a link and a code is on its way. Open the link in this browser, or type the code here. Both work once, for ten minutes.`,
    code: 'Code from the mail',
    as: (email: string) => `Sign in as ${email}`,
    none: 'Nothing there? Look into the spam folder.',
    again: 'Ask for another mail',
    elsewhere: 'Type the code where you asked for it',
    elsewhereWhy:
      'This browser has not asked for a sign-in mail in the last ten minutes, or has used it. Go back to the browser where you asked, and type the code from the mail there. Nothing is used up here.',
    here: 'Sign in here instead',
  },
  oidc: {
    with: (name: string) => `Sign in with ${name}`,
    title: 'One moment',
    leave: (name: string) => `You sign in with ${name}, and come back here.`,
    go: 'Go on',
  },
  identities: {
    title: 'Identities at a provider',
    none: 'None is linked yet.',
    noAddress: 'Without an address',
    since: 'Linked',
    unlink: 'Unlink',
    link: (name: string) => `Link with ${name}`,
  },
  replacePassword: 'You showed who you are just now, so the current password is not asked for.',
};
