/** Sentences of the ways to sign in other than by password. */
export const signInWords = {
  link: {
    ask: 'Email me a sign-in link',
    askHint: 'Forgot your password? Sign in with a link in an email, then set a new one.',
    title: 'Check your email',
    sent: (email: string) =>
      `If ${email} has an account here, we have sent a link and a code to it. Open the link in this browser, or enter the code here. Both work once, for ten minutes.`,
    code: 'Code from the email',
    as: (email: string) => `Sign in as ${email}`,
    none: 'No email? Check your spam folder.',
    again: 'Send another email',
    elsewhere: 'Enter the code where you asked for it',
    elsewhereWhy:
      'This browser has not asked for a sign-in email in the last ten minutes, or has already used it. Go back to the browser where you asked, and enter the code there. Your link and code stay valid.',
    here: 'Sign in here instead',
  },
  oidc: {
    with: (name: string) => `Sign in with ${name}`,
    title: 'One moment',
    leave: (name: string) => `Sign in with ${name}. You come back here afterwards.`,
    go: 'Continue',
  },
  identities: {
    title: 'Linked identities',
    none: 'No identity linked yet.',
    noAddress: 'No email address',
    since: 'Linked',
    unlink: 'Unlink',
    link: (name: string) => `Link ${name}`,
  },
  replacePassword: 'You confirmed who you are a moment ago, so you can skip the current password.',
};
