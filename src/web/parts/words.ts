/** Words of what many pages have. */
export const partWords = {
  pages: { label: 'Pages', first: 'First page', next: 'Next' },
  problems: (count: number) =>
    count === 1 ? 'Please fix one problem:' : `Please fix ${count} problems:`,
  copy: 'Copy',
  cancel: 'Cancel',
  find: 'Search',
} as const;

/** Words of the fields and buttons that sign in. */
export const signInWords = {
  title: 'Sign in',
  email: 'Email address',
  password: 'Password',
  shared: 'This is a shared device',
  sharedHint: 'We sign you out after an hour without activity.',
  go: 'Sign in',
  passkey: 'Sign in with a passkey',
  usePasskey: 'Use a passkey',
  passkeyFailed:
    'That did not work. This device may have no passkey for this site, or already have one. Try again, or choose another way.',
} as const;
