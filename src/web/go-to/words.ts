/** Words of the page that finds others. */
export const goWords = {
  label: 'Form, view, folder or page',
  find: 'Find',
  groups: {
    actions: 'This submission',
    forms: 'Forms',
    views: 'Saved views',
    folders: 'Folders',
    pages: 'Pages',
    clients: 'Clients',
    people: 'People',
    search: 'Submissions',
  },
  ofForm: 'Overview',
  statistics: 'Statistics',
  views: 'Saved views',
  newForm: 'New form',
  visitor: (address: string) => `Everything from ${address}`,
  search: (text: string) => `Search submissions for “${text}”`,
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  more: 'There are more forms. Type more of the name.',
} as const;
