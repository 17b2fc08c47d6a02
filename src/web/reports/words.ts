/** Words of the monthly report of a client. */
export const reportWords = {
  mail: {
    recipients: 'Recipients',
    unconfirmed: (emails: string) =>
      `Not confirmed yet: ${emails}. They get nothing until they confirm their address.`,
    save: 'Save recipients',
  },
  title: (client: string) => `Report for ${client}`,
  figures: { submissions: 'Submissions' },
  work: { answered: 'Answered', done: 'Done', starred: 'Starred' },
} as const;
