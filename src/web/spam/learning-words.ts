/** Words of what the spam filter learns. */
export const spamLearningWords = {
  spamLearning: {
    title: 'Spam training',
    hint: 'The filter learns words from submissions your team marks as spam, and from those it marks as not spam, stars, answers or completes. What your clients mark counts for their own forms only. No text is kept, and erased submissions are forgotten.',
    own: (spam: number, ham: number) =>
      `Learned from ${spam.toLocaleString('en')} spam and ${ham.toLocaleString('en')} other submissions.`,
    byClients: (spam: number, ham: number) =>
      `Learned from your clients, for their forms: ${spam.toLocaleString('en')} spam and ${ham.toLocaleString('en')} other submissions.`,
    silent: (needed: number) => `It starts to judge once it knows ${needed} of each.`,
    speaks: 'It now judges new submissions, and names the words behind each decision.',
    reset: 'Reset training',
    question:
      'The filter starts over and learns from new marks only. Existing marks stay as they are.',
    go: 'Reset training',
  },
} as const;
