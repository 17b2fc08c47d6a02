/** Words of the second step. */
export const codeWords = {
  title: 'Two-step verification',
  code: 'Code',
  hint: 'Enter the code from your authenticator app, or a recovery code.',
} as const;

/** Words of sign-in by a link in an email. */
export const linkWords = {
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
} as const;

/** Words of sign-in by an identity provider. */
export const oidcWords = {
  with: (name: string) => `Sign in with ${name}`,
  title: 'One moment',
  leave: (name: string) => `Sign in with ${name}. You come back here afterwards.`,
  go: 'Continue',
} as const;

/** Words of the page that makes the first owner. */
export const setupWords = {
  title: 'Set up your account',
  hint: 'This link makes you the owner, with full access.',
  code: 'Setup code',
  codeHint: 'The part after # in the link from the console. It starts with fcs_setup_.',
  name: 'Your name',
  newPassword: 'Password',
  passwordHint:
    'At least 15 characters. A few unrelated words are easy to remember. Leave out your name.',
  go: 'Set up account',
} as const;

/** Words of the page that accepts an invitation. */
export const invitationWords = {
  title: 'Invitation',
  code: 'Invitation code',
  codeHint: 'The part after # in your link. It starts with fcs_invitation_.',
  open: 'Continue',
  into: (account: string, inviter: string | null = null) =>
    `${inviter === null ? 'You are invited' : `${inviter} invites you`} to join “${account}” and work with its form submissions.`,
  known: (email: string) => `${email} already has an account. Sign in, then open the link again.`,
  as: (email: string) => `You will sign in as ${email}.`,
  accept: 'Accept invitation',
  signIn: 'Sign in first',
} as const;

/** Words of a first passkey beside a first password. */
export const firstPasskeyWords = {
  what: 'A passkey lets you sign in with your fingerprint, face or PIN. Nobody can guess or phish it, and you need no code.',
  orPassword: 'Or choose a password:',
  makeFirst: 'Add a passkey',
} as const;
