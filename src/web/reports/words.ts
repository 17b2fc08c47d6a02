/** Words of the monthly report of a client. */
export const reportWords = {
  title: (client: string) => `Report for ${client}`,
  figures: { submissions: 'Submissions' },
  work: { answered: 'Answered', done: 'Done', starred: 'Starred' },
} as const;
