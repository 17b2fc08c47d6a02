/** Words of the page about a client's own host. */
export const hostWords = {
  host: {
    open: 'Own host',
    title: (client: string) => `Own host of ${client}`,
    hint: (base: string) =>
      `Forms, pages and links of this client are at ${base}. With a host of its own they are there instead, and your own address is nowhere.`,
    off: 'Hosts of clients are turned off on this service. Its operator turns them on with the setting HOSTS.',
    name: 'Host',
    nameHint: 'Such as forms.example.com. It is best a name of its own, below the client’s domain.',
    ask: 'Use this host',
    other: 'Use another host',
    proof: 'Prove that the client has it',
    proofHint:
      'Publish this DNS record, or put its value into a file on the site that is there now.',
    record: 'Name of the TXT record',
    value: 'Value of the record',
    file: 'Or the file',
    check: 'Check now',
    serves: 'This host serves the client.',
    waits: 'Not proven yet',
    lead: (host: string, own: string) =>
      `Lead the host here: a CNAME record from ${host} to ${own}, and a certificate for it in the proxy in front of the service. Keep it so.`,
    release: 'Give the host up',
    releaseHint:
      'Links in emails that were sent lead there still, so let it lead here for some weeks.',
    releaseSure: (host: string) => `Give up ${host}? The client’s links are at our address again.`,
    releaseGo: 'Give it up',
  },
} as const;
