/** Words of the page about oneself. */
export const accountWords = {
  title: 'Account and sign-in',
  here: 'current',
  goOn: 'Switch to this one',
  none: 'You have no workspace yet. Ask an owner to invite you.',
  sessions: 'Active sessions',
  thisOne: 'this browser',
  lastSeen: 'Last seen',
  from: 'IP address',
  end: 'End session',
  endOthers: 'Sign out on all other devices',
  password: 'Password',
  current: 'Current password',
  next: 'New password',
  changePassword: 'Change password',
  setPassword: 'Set password',
  roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  client: 'Client',
  zone: 'Time zone',
  zoneLabel: 'Time zone for dates and times',
  zoneHint: 'For example Europe/Berlin.',
  useZone: 'Save time zone',
  useBrowserZone: (zone: string) => `Use this browser’s time zone, ${zone}`,
  ways: {
    password: 'Signed in by password',
    passkey: 'Signed in by passkey',
    link: 'Signed in by email link',
    oidc: 'Signed in by identity provider',
    setup: 'Signed in by setup link',
    invitation: 'Signed in by invitation',
  },
  replacePassword: 'You confirmed who you are a moment ago, so you can skip the current password.',
} as const;

/** Words of the page of passkeys. */
export const passkeyWords = {
  title: 'Passkeys',
  off: 'Passkeys are off. Browsers require an https:// address with a host name; set it in BASE_URL.',
  unavailable: 'Passkeys are not available here.',
  notHere: 'Passkeys do not work at this address. Sign in with your password or a link by email.',
  none: 'You have no passkey yet.',
  count: (count: number) => (count === 1 ? 'You have one passkey.' : `You have ${count} passkeys.`),
  manage: 'Manage passkeys',
  only: 'This is your only way to sign in. Add a second passkey on another device, so that losing one does not lock you out.',
  name: 'Name',
  nameHint: 'Where you keep it, such as “Phone”.',
  add: 'Add a passkey',
  needsScript: 'Passkeys need JavaScript and a browser that supports them.',
  missing: 'Passkey missing. Press the button to add one.',
  created: 'Added',
  used: 'Last used',
  never: 'Never used',
  rename: 'Rename',
  save: 'Save name',
  remove: 'Remove',
  removeQuestion: (name: string) => `Remove “${name}”? It will no longer work for signing in.`,
  removeGo: 'Remove passkey',
} as const;

/** Words of the page about a person’s email address. */
export const emailWords = {
  title: 'Email address',
  link: 'Link',
  linkHint: 'The part after # in the link from the email.',
  current: (email: string) => `You sign in as ${email}.`,
  email: 'New email address',
  hint: 'We send a link to it. Nothing changes until you open that link.',
  ask: 'Send link',
  asked: 'Check your email',
  sent: (email: string) => `We have sent a link to ${email}. Open it in this browser within a day.`,
  taken: 'We send nothing if that address already has an account.',
  why: 'From then on you sign in with the address that received the email.',
  confirmTitle: 'Verify your address',
  confirm: 'Verify address',
  unproven:
    'Your email address is not verified yet. Until you verify it, we send no test emails and no digests to it.',
  change: 'Change email address',
} as const;

/** Words of linked identities. */
export const identityWords = {
  title: 'Linked identities',
  none: 'No identity linked yet.',
  noAddress: 'No email address',
  since: 'Linked',
  unlink: 'Unlink',
  link: (name: string) => `Link ${name}`,
} as const;

/** Words of the page of two-step verification. */
export const totpWords = {
  title: 'Two-step verification',
  on: (left: number) =>
    left === 1
      ? 'On. You enter a code when you sign in. One recovery code is left.'
      : `On. You enter a code when you sign in. ${left} recovery codes are left.`,
  off: 'Off. Add a second step for stronger protection.',
  begin: 'Turn on two-step verification',
  scan: 'Scan this QR code with an authenticator app.',
  qr: 'QR code of the secret below',
  type: 'Or type this secret into the app:',
  code: 'Six-digit code from the app',
  add: 'Turn on',
  remove: 'Turn off two-step verification',
  renew: 'Create new recovery codes',
  codesTitle: 'Your recovery codes',
  codesHint:
    'Each code lets you sign in once without the app. Store them somewhere safe: we show them only once.',
  codesDone: 'I have saved them',
} as const;
