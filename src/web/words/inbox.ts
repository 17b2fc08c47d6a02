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
    foldersLabel: 'Folders',
    folders: { inbox: 'Inbox', spam: 'Spam', trash: 'Trash' },
    allForms: 'All forms',
    show: 'Show',
    search: 'Search in the values',
    find: 'Find',
    showAll: 'Show everything',
    emptyTitle: 'No submissions yet',
    emptyFolders: {
      inbox: {
        title: 'No submissions yet',
        text: 'What visitors send is listed here, newest first.',
      },
      spam: { title: 'No spam', text: 'What looks like spam is kept here, with the reason.' },
      trash: { title: 'The trash is empty', text: 'What you move to the trash is kept here.' },
    },
    nothingFound: 'Nothing found',
    nothingFoundHint: (query: string) => `No submission here contains “${query}”.`,
    emptyForClients: 'No form is shared with you yet. Ask whoever runs the forms for you.',
    toForm: 'To the form',
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
      owner_digest: 'Summary to you',
      confirmation: 'Question to a recipient',
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
    erase: 'Erase for good',
    eraseSure: (files: number) =>
      files === 0
        ? 'The submission is erased and cannot be brought back.'
        : 'The submission is erased with its files and cannot be brought back.',
    eraseGo: 'Erase it',
    onRestore: (what: string) => `“Not spam” sends what was left out so far: ${what}.`,
    nothingOnRestore: '“Not spam” sends nothing: there is nobody to tell, or it went out before.',
    reply: 'Reply',
    replySubject: (form: string) => `Re: ${form}`,
    size: (bytes: number) => {
      const units = ['B', 'kB', 'MB', 'GB'] as const;
      const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), 3);
      const amount = bytes / 1000 ** step;
      return `${amount.toFixed(step === 0 || amount >= 10 ? 0 : 1)} ${units[step] ?? 'B'}`;
    },
  },
} as const;
