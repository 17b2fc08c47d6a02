/** Sentences of the page that finds others. */
export const goWords = {
  go: {
    title: 'Go to',
    keys: 'Ctrl K',
    label: 'Form, view, folder or page',
    find: 'Find',
    groups: {
      actions: 'This submission',
      forms: 'Forms',
      views: 'Saved views',
      folders: 'Folders',
      pages: 'Pages',
      search: 'Submissions',
    },
    ofForm: 'its page',
    statistics: 'Statistics',
    views: 'Saved views',
    newForm: 'New form',
    search: (text: string) => `Search submissions for “${text}”`,
    found: (count: number) => (count === 1 ? 'One found' : `${count} found`),
    more: 'There are more forms: type another letter of the name.',
  },
};
