const BANDS = { clean: 'clean', held: 'held', spam: 'spam' } as const;

/** Words of what judges submissions again. */
export const rejudgeWords = {
  rejudge: {
    title: 'Judge again',
    hint: 'Judges what this form received by what is said above and learnt since. What somebody marked, starred, answered or finished stays as it is, and nothing is sent twice.',
    which: 'Which submissions',
    whichHint: 'A filter as in the inbox, such as from:7d or is:held. Empty: all, spam too.',
    look: 'See what would move',
    go: 'Judge again',
    looked: (count: number) => `Of the ${count.toLocaleString('en')} newest that are meant:`,
    nothing: 'Nothing would move.',
    move: (count: number, from: keyof typeof BANDS, to: keyof typeof BANDS) =>
      `${count.toLocaleString('en')} from ${BANDS[from]} to ${BANDS[to]}`,
    kept: (count: number) =>
      `${count.toLocaleString('en')} stay as they are because of what somebody said or did.`,
    lookedTo: 'Looked back to',
    more: 'What is older is judged too.',
    sends: 'Mails and calls of what becomes clean are sent then, unless they were before.',
  },
} as const;
