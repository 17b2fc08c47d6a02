/** Words of the pages of clients. */
export const clientWords = {
  list: 'Clients',
  create: 'Add client',
  createHint: 'A client sees only the forms you choose.',
  invite: 'Invite this person',
  inviteHint:
    'We email a link to this address. It lets them sign in and see submissions, and works for seven days.',
  noInvite: 'Adding a client invites nobody. You can invite people on its page.',
  name: 'Name',
  email: 'Email address',
  canCreate: 'Can create forms',
  canCreateHint:
    'The client can change only the forms it created. To delete them, its people also need permission to erase.',
  forms: 'Forms',
  noForms: 'None',
  moreForms: 'and more',
  kept: (count: number) =>
    count === 1
      ? 'This client sees one more form.'
      : `This client sees ${count.toLocaleString('en')} more forms.`,
  further: 'More forms',
  furtherHint: 'One form identifier per line. You find it in the address of the form’s page.',
  unknownForm: (text: string) => `You have no form with the identifier ${text}.`,
  search: 'Search clients',
  noneFound: (q: string) => `No client has “${q}” in its name or email.`,
  emptyTitle: 'No clients yet',
  empty: 'Add the customers you run forms for. Each sees only the forms you choose.',
  delete: 'Delete client',
  deleteHint: 'Its API tokens stop working immediately. The forms stay.',
  deleteSure: (name: string) => `Delete “${name}” and all its API tokens?`,
  deleteGo: 'Delete',
  save: 'Save changes',
} as const;

/** Words of the page about the look and the sender of a client. */
export const clientBrandWords = {
  title: 'Look and sender',
  open: 'Look and sender',
  hint: 'Shown to this client’s visitors and people instead of your branding. Leave a field empty to use yours.',
  name: 'Name',
  nameHint: 'Shown instead of yours on pages and in emails. With a name, your logo is not shown.',
  colour: 'Color',
  colourHint: 'For buttons and links, such as #0a7d6b or teal.',
  replyTo: 'Reply-to address',
  replyToHint: 'Replies to emails to visitors go here, unless the form has its own sender address.',
  save: 'Save look',
  sender: 'Sender of emails',
  senderHint:
    'Emails to visitors and recipients of this client’s forms, and to its people, come from this sender.',
  from: 'Sender',
  fromHint:
    'Such as Forms of Acme <forms@acme.example>. Without a mail server of the client, the address is used only if the operator has allowed its domain; otherwise replies go there.',
  smtp: 'Mail server (SMTP)',
  smtpHint:
    'Such as smtps://user:password@mail.acme.example:465. Ports 25, 465, 587 and 2525. We store it encrypted and never show it again.',
  smtpNow: (host: string) => `Mail server ${host} is set. Type a new address to replace it.`,
  removeSmtp: 'Remove mail server',
  saveSender: 'Save sender',
  test: 'Send test email',
  testHint: 'Goes to your own address, the way emails of this client go.',
  testGood: (to: string) => `Test sent to ${to}`,
  testBad: (to: string) => `Test to ${to} failed`,
  silent: 'The mail server gave no reason.',
  defaults: 'Defaults for new forms',
  defaultsHint:
    'For forms that this client creates or that you create for it. Forms that exist stay as they are.',
  redirectUrl: 'Redirect URL',
  ownerEmails: 'Recipients',
  ownerEmailsHint: 'Comma-separated. Empty: your default recipient.',
  notifySubmitter: 'Email visitors',
  bgColor: 'Background color',
  textColor: 'Text color',
  linkColor: 'Link color',
  domains: 'Allowed domains',
  domainsHint: 'Comma-separated, such as acme.example, *.acme.example.',
  saveDefaults: 'Save defaults',
  newForm: 'New form for this client',
  newFormName: 'Form name',
  createForm: 'Create form',
} as const;

/** Words of the page about a client’s own host. */
export const hostWords = {
  open: 'Custom domain',
  title: (client: string) => `Custom domain of ${client}`,
  hint: (base: string) =>
    `This client’s forms, pages and links are at ${base}. Give it a domain of its own, and they move there.`,
  off: 'Custom domains are off. The operator can enable them with HOSTS.',
  name: 'Domain',
  otherName: 'Another domain',
  nameHint: 'A name that nothing else uses, such as forms.example.com.',
  ask: 'Use this domain',
  other: 'Use another domain',
  proofHint: '2. Verify the domain: publish this DNS record, or put its value into the file.',
  record: 'Name of the TXT record',
  value: 'Value of the record',
  file: 'Or address of the file',
  check: 'Check now',
  serves: 'This client’s forms, pages and links are at this domain.',
  waits: 'Not verified yet',
  lead: (host: string, own: string) =>
    `1. Point ${host} to this service: add a CNAME record to ${own}, and a certificate to your proxy.`,
  keep: (host: string, own: string) =>
    `Keep the CNAME record from ${host} to ${own}, and the certificate in your proxy.`,
  release: 'Remove domain',
  releaseHint: 'Emails that were sent have links to it, so let it point here for a few more weeks.',
  releaseSure: (host: string) =>
    `Remove ${host}? The client’s forms, pages and links move back to our address.`,
  releaseGo: 'Remove domain',
} as const;
