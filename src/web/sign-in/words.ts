/** Words of the page that makes the first owner. */
export const setupWords = {
  passwordHint:
    'At least 15 characters. A few unrelated words are easy to remember. Leave out your name.',
} as const;

/** Words of the page that accepts an invitation. */
export const invitationWords = {
  title: 'Invitation',
  into: (account: string, inviter: string | null = null) =>
    `${inviter === null ? 'You are invited' : `${inviter} invites you`} to join “${account}” and work with its form submissions.`,
} as const;

/** Words of a first passkey beside a first password. */
export const firstPasskeyWords = {
  what: 'A passkey lets you sign in with your fingerprint, face or PIN. Nobody can guess or phish it, and you need no code.',
} as const;
