const count = (n: number) => n.toLocaleString('en');
const forms = (n: number) => (n === 1 ? 'one form' : `${count(n)} forms`);

/** Words of the list of forms and of changes of many. */
export const fleetWords = {
  columns: {
    name: 'Name',
    client: 'Client',
    recent: 'Last 30 days',
    spam: 'Spam',
    failed: 'Failed',
    submissions: 'Submissions',
    latest: 'Last submission',
    created: 'Oldest first',
  },
  cut: (max: number) => `Filtering and sorting cover the ${count(max)} oldest forms only.`,
  shown: (from: number, to: number, total: number) =>
    total === 1 ? 'One form' : `${count(from)}–${count(to)} of ${forms(total)}`,
  changeAll: (total: number) => `Change all ${count(total)}`,
  change: {
    title: (n: number) => `Change ${forms(n)}`,
    none: 'No forms selected',
    back: 'Back to the forms',
    cut: (max: number, total: number) =>
      `One change covers up to ${count(max)} forms. These are the first ${count(max)} of ${count(total)}.`,
    on: 'On',
    off: 'Off',
    grants: { grant_to: 'Grant to client', withdraw_from: 'Withdraw from client' },
    previewTitle: 'Preview of changes',
    apply: (n: number) => `Change ${forms(n)}`,
    will: {
      changed: (n: number) => `${count(n)} will change`,
      unchanged: (n: number) => `${count(n)} stay as they are`,
      refused: (n: number) => `${count(n)} cannot change`,
    },
    did: {
      changed: (n: number) => `${count(n)} changed`,
      unchanged: (n: number) => `${count(n)} stayed as they were`,
      refused: (n: number) => `${count(n)} did not change`,
    },
    form: 'Form',
    before: 'Before',
    after: 'After',
  },
} as const;
