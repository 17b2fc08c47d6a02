/** Words of the inbox and of a submission. */
export const inboxWords = {
  inbox: {
    title: 'Inbox',
    from: 'From',
    content: 'Content',
    form: 'Form',
    received: 'Received',
    pages: 'Pages',
    newest: 'Newest',
    older: 'Older',
    noValues: '(nothing filled in)',
    files: (count: number) => (count === 1 ? 'one file' : `${count} files`),
    emptyTitle: 'No submissions yet',
    emptyWithForms: 'What visitors send through any of your forms is listed here, newest first.',
    emptyWithoutForms:
      'Create a form, put its snippet into your page, and what visitors send is here.',
    toForms: 'Your forms',
  },
  submission: {
    timeline: 'What became of it',
    received: 'Received and stored',
    nothingSent: 'Nobody was to be told of it',
    kinds: {
      owner_email: 'Mail to you',
      submitter_email: 'Mail to the visitor',
      webhook: 'Webhook',
      owner_notice: 'Notice to you',
    },
    states: {
      pending: 'waits for its next try',
      delivering: 'on its way',
      delivered: 'delivered',
      failed: 'given up',
    },
    took: (milliseconds: number) =>
      milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
    nextTry: 'Next try',
    sendNow: 'Send now',
    sendAgain: 'Send again',
    origin: 'Where it came from',
    page: 'Page',
    browser: 'Browser',
    address: 'Network address',
    notKept: 'not known',
    spam: 'Spam',
    notSpam: 'Not spam',
    trash: 'Move to trash',
    restore: 'Restore',
    inTrash: 'This is in the trash.',
    isSpam: 'This was filed as spam, so nobody was told of it.',
    size: (bytes: number) => {
      const units = ['B', 'kB', 'MB', 'GB'] as const;
      const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), 3);
      const amount = bytes / 1000 ** step;
      return `${amount.toFixed(step === 0 || amount >= 10 ? 0 : 1)} ${units[step] ?? 'B'}`;
    },
  },
} as const;
