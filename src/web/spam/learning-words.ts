/** Words of what the spam filter learns. */
export const spamLearningWords = {
  spamLearning: {
    title: 'What the spam filter learnt',
    hint: 'It learns words from what you and your team mark: as spam, and as no spam, with a star or as done. What your clients mark counts for its form alone. It keeps no text, and what is erased is forgotten.',
    own: (spam: number, ham: number) => `It knows ${spam} marked as spam and ${ham} kept.`,
    byClients: (spam: number, ham: number) =>
      `From your clients, for their forms: ${spam} marked as spam and ${ham} kept.`,
    silent: (needed: number) => `It says nothing before it knows ${needed} of each.`,
    speaks: 'It judges new submissions by them, and says by which words.',
    reset: 'Forget all of it',
    question:
      'Then it begins anew. What is marked stays as it is; the filter learns from new marks alone.',
    go: 'Yes, forget all of it',
  },
} as const;
