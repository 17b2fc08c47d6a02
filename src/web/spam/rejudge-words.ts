const BANDS = { clean: 'clean', held: 'held', spam: 'spam' } as const;

/** Words of what judges submissions again. */
export const rejudgeWords = {
  rejudge: {
    title: 'Re-check submissions',
    hint: 'Applies the current settings, lists and training to submissions this form has already received. Those that someone marked, starred, answered or completed stay as they are, and nothing is sent twice.',
    which: 'Submissions to re-check',
    whichHint:
      'A filter as in the inbox, such as from:7d or is:held. Leave empty for all, including spam.',
    look: 'Preview changes',
    go: 'Re-check submissions',
    looked: (count: number) => `Of the ${count.toLocaleString('en')} newest matching submissions:`,
    nothing: 'Nothing would change.',
    move: (count: number, from: keyof typeof BANDS, to: keyof typeof BANDS) =>
      `${count.toLocaleString('en')} from ${BANDS[from]} to ${BANDS[to]}`,
    kept: (count: number) =>
      `${count.toLocaleString('en')} stay as they are because someone decided on them.`,
    lookedTo: 'Checked back to',
    more: 'Older submissions are re-checked too.',
    sends:
      'Emails and webhook calls of submissions that become clean are sent, unless they already were.',
  },
} as const;
