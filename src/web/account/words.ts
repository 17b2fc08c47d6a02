/** Words of the page about oneself. */
export const accountWords = {
  title: 'Account and sign-in',
  setPassword: 'Set password',
  roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  ways: {
    password: 'Signed in by password',
    passkey: 'Signed in by passkey',
    link: 'Signed in by email link',
    oidc: 'Signed in by identity provider',
    setup: 'Signed in by setup link',
    invitation: 'Signed in by invitation',
  },
} as const;

/** Words of the page of passkeys. */
export const passkeyWords = { title: 'Passkeys', name: 'Name', add: 'Add a passkey' } as const;

/** Words of the page about a person’s email address. */
export const emailWords = {
  title: 'Email address',
  sent: (email: string) => `We have sent a link to ${email}. Open it in this browser within a day.`,
} as const;

/** Words of the page of two-step verification. */
export const totpWords = { title: 'Two-step verification' } as const;
