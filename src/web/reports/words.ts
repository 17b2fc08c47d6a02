/** Words of the monthly report of a client. */
export const reportWords = {
  report: {
    open: 'Monthly report',
    mail: {
      title: 'Email this report',
      recipients: 'Recipients',
      hint: 'Email addresses, separated by commas, up to 10. They get the report on the first of each month from 6:00 UTC on. Leave it empty to send none.',
      unconfirmed: (emails: string) =>
        `Not confirmed yet: ${emails}. They get nothing until they confirm their address.`,
      save: 'Save recipients',
      send: (month: string) => `Send report for ${month} now`,
      sent: (to: string) => `Email sent to ${to}`,
      notSent: (to: string) => `Email to ${to} was not sent`,
      silent: 'The mail server did not answer.',
    },
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
    work: { answered: 'Answered', done: 'Done', starred: 'Starred' },
    form: 'Form',
    beforeColumn: 'Month before',
    spam: 'Spam',
    delivered: 'Delivered',
    failed: 'Failed',
    total: 'All forms',
  },
} as const;
