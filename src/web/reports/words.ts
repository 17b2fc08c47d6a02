/** Words of the monthly report of a client. */
export const reportWords = {
  report: {
    open: 'Monthly report',
    title: (client: string) => `Report for ${client}`,
    months: 'Months',
    earlier: 'Month before',
    later: 'Month after',
    hint: 'Days are those of UTC. Print this page to save it as a PDF.',
    empty: 'This client sees no forms yet.',
    figures: {
      submissions: 'Submissions',
      spam: 'Spam kept away',
      delivered: 'Emails and webhook calls delivered',
      failed: 'Emails and webhook calls failed',
    },
    before: (count: string) => `${count} the month before`,
    form: 'Form',
    beforeColumn: 'Month before',
    spam: 'Spam',
    delivered: 'Delivered',
    failed: 'Failed',
    total: 'All forms',
  },
} as const;
