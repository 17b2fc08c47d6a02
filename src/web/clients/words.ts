/** Words of the pages of clients. */
export const clientWords = {
  list: 'Clients',
  create: 'Add client',
  name: 'Name',
  email: 'Email address',
  forms: 'Forms',
  delete: 'Delete client',
  save: 'Save changes',
  received: 'Submissions this month',
  latest: 'Last submission',
  remove: (form: string) => `Remove ${form}`,
} as const;

/** Words of the page about a client’s own host. */
export const hostWords = { open: 'Custom domain', release: 'Remove domain' } as const;
