/** Words of the page about a client's own host. */
export const hostWords = {
  host: {
    open: 'Own host',
    title: (client: string) => `Own host of ${client}`,
    hint: (base: string) =>
      `This client’s forms, pages and links are at ${base}. Give it a host of its own, and they move there.`,
    off: 'This service takes no hosts of clients. Its operator can change that with the setting HOSTS.',
    name: 'Host',
    otherName: 'Another host',
    nameHint: 'A name that nothing else uses, such as forms.example.com.',
    ask: 'Use this host',
    other: 'Use another host',
    proofHint:
      '2. Prove that the client owns it: publish this DNS record, or put its value into the file.',
    record: 'Name of the TXT record',
    value: 'Value of the record',
    file: 'Or address of the file',
    check: 'Check now',
    serves: 'This client’s forms, pages and links are at this host.',
    waits: 'Not proven yet',
    lead: (host: string, own: string) =>
      `1. Point ${host} to this service: add a CNAME record to ${own}, and a certificate to your proxy.`,
    keep: (host: string, own: string) =>
      `Keep the CNAME record from ${host} to ${own}, and the certificate in your proxy.`,
    release: 'Give up this host',
    releaseHint:
      'Emails that were sent have links to it, so let it point here for a few more weeks.',
    releaseSure: (host: string) =>
      `Give up ${host}? The client’s forms, pages and links move back to our address.`,
    releaseGo: 'Give up host',
  },
} as const;
