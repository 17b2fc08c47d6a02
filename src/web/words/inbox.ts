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
    folders: { new: 'New', all: 'All', done: 'Done', spam: 'Spam', trash: 'Trash' },
    forms: 'Forms',
    allForms: 'All forms',
    unread: 'unread',
    starred: 'Starred',
    done: 'Done',
    readAll: 'Mark all as read',
    select: (from: string) => `Select: ${from}`,
    selectAll: 'All on this page',
    selectEvery: (count: number | null) =>
      count === null
        ? 'Select all that match, on every page'
        : `Select all ${count.toLocaleString('en')} that match, on every page`,
    bulk: 'What to do with those that are selected',
    actions: {
      done: 'Done',
      notDone: 'Not done',
      read: 'Read',
      unread: 'Unread',
      star: 'Star',
      spam: 'Spam',
      notSpam: 'Not spam',
      trash: 'Trash',
      restore: 'Restore',
      tag: 'Tag',
    },
    tagLabel: 'Tag',
    filter: 'Search and filter',
    filterHint: 'Words, is:unread, is:starred, has:file, from:7d, email:jane@example.com',
    unclear: (parts: readonly string[]) => `This cannot be understood: ${parts.join(' ')}`,
    find: 'Find',
    showNew: 'Show what is new',
    exports: 'Export all of these:',
    exportFormats: { csv: 'CSV', xlsx: 'Excel', ndjson: 'NDJSON' },
    lookedTo: 'Looked back to',
    lookOn: 'Look further back',
    emptyTitle: 'No submissions yet',
    emptyFolders: {
      new: {
        title: 'Nothing new',
        text: 'What visitors send is listed here, newest first, until it is done.',
      },
      all: {
        title: 'No submissions yet',
        text: 'What visitors send is listed here, newest first.',
      },
      done: { title: 'Nothing is done yet', text: 'What you mark as done is kept here.' },
      spam: { title: 'No spam', text: 'What looks like spam is kept here, with the reason.' },
      trash: { title: 'The trash is empty', text: 'What you move to the trash is kept here.' },
    },
    nothingFound: 'Nothing found',
    nothingFoundHint: (query: string) => `No submission here is what “${query}” asks for.`,
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
      owner_email: 'Mail to the owner',
      submitter_email: 'Mail to the visitor',
      webhook: 'Webhook',
      owner_notice: 'Notice to the owner',
      owner_digest: 'Summary to the owner',
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
    trash: 'Trash',
    done: 'Done',
    notDone: 'Not done',
    star: 'Star',
    unstar: 'Unstar',
    unread: 'Unread',
    newer: 'Newer',
    older: 'Older',
    around: 'Other submissions',
    sameSender: 'All from this address',
    tags: 'Tags',
    tagsLabel: 'Tags, divided by commas',
    saveTags: 'Save',
    notes: 'Notes',
    notesHint: 'For everybody who looks after this form. The visitor never sees them.',
    noteLabel: 'A note',
    addNote: 'Add the note',
    removeNote: 'Remove',
    restore: 'Restore',
    inTrash: 'This is in the trash.',
    isSpam: 'This was filed as spam, so nobody was told of it.',
    isHeld: 'This may be spam, so the visitor and the webhook have not been told of it yet.',
    withheld: 'Waits until somebody says that it is no spam',
    judged: 'Looked through for spam',
    points: (points: number) => `${points > 0 ? '+' : ''}${points}`,
    release: (mails: number, calls: number) => {
      const counted = [
        mails === 0 ? '' : mails === 1 ? '1 mail' : `${mails} mails`,
        calls === 0 ? '' : calls === 1 ? '1 call' : `${calls} calls`,
      ].filter(Boolean);
      return counted.length === 0
        ? 'Not spam'
        : `Not spam: send what was withheld (${counted.join(', ')})`;
    },
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
