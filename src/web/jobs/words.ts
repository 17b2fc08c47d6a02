const number = (count: number) => count.toLocaleString('en');

/** Words of jobs that change or export all submissions which a filter means. */
export const jobWords = {
  jobs: {
    newTitle: 'Change all that match',
    exportTitle: 'Export',
    exportHint:
      'The file is made in the background; you can leave this page, and get a mail when it is ready. After a restart it is begun anew.',
    download: (kib: number) => `Download (${kib.toLocaleString('en')} KiB)`,
    fileUntil: 'It is kept until',
    fileGone: 'The file is gone: it has expired, or submissions that it held were erased.',
    title: 'Change of all that match',
    filter: 'Filter',
    everything: 'Everything but spam and the trash',
    what: 'Change',
    format: 'Format',
    matching: 'Match now',
    counted: (count: number, isExact: boolean) =>
      isExact ? number(count) : `${number(count)} or more: counting all would take too long`,
    by: 'By',
    begun: 'Begun',
    ended: 'Ended',
    hint: 'This goes on in the background, also when you close this page, and can be stopped. What comes meanwhile is left as it is. It cannot be undone at once: what was changed is known by its number alone.',
    nothing: 'Nothing matches this filter, so there is nothing to change.',
    go: (count: number | null) =>
      count === null ? 'Change all of them' : `Change ${number(count)}`,
    stop: 'Stop',
    refresh: 'Show how far it is',
    states: {
      waiting: 'about to begin',
      running: 'under way',
      finished: 'finished',
      stopped: 'stopped',
      failed: 'ended early',
    },
    progress: 'How far it is',
    passed: (done: number, total: number | null) =>
      total === null
        ? `${number(done)} gone through so far`
        : `${number(done)} of ${number(total)} gone through`,
    changed: (changed: number) =>
      changed === 1
        ? '1 was not so before and is changed'
        : `${number(changed)} were not so before and are changed`,
    underWay: (isExport: boolean, done: number, total: number | null) => {
      const what = isExport ? 'An export' : 'A change of all that match';
      const far = total === null ? `${number(done)} so far` : `${number(done)} of ${number(total)}`;
      return `${what} is under way: ${far}`;
    },
    changes: {
      done: ['Mark as not done', 'Mark as done'],
      read: ['Mark as unread', 'Mark as read'],
      starred: ['Take the star away', 'Give a star'],
      answered: ['Mark as not answered', 'Mark as answered'],
      spam: ['File as no spam', 'File as spam'],
      trash: ['Bring back from the trash', 'Move to the trash'],
      rejudge: ['', 'Judge again whether it is spam'],
    },
    assign: (name: string | null) => (name === null ? 'Assign to nobody' : `Assign to ${name}`),
    addTag: (tag: string) => `Add the tag “${tag}”`,
    removeTag: (tag: string) => `Take away the tag “${tag}”`,
  },
} as const;
