const number = (count: number) => count.toLocaleString('en');

/** Words of jobs that change or export all submissions which a filter means. */
export const jobWords = {
  counted: (count: number, isExact: boolean) =>
    isExact ? number(count) : `${number(count)} or more (counting all takes too long)`,
  ended: 'Ended',
  hint: 'The change runs in the background, even if you close this page. You can stop it, but you cannot undo it. Submissions that arrive in the meantime stay unchanged.',
  go: (count: number | null) => (count === null ? 'Change all' : `Change ${number(count)}`),
  states: { waiting: 'Waiting', running: 'Running', finished: 'Finished', stopped: 'Stopped', failed: 'Failed' },
  passed: (done: number, total: number | null) =>
    total === null ? `${number(done)} processed so far` : `${number(done)} of ${number(total)} processed`,
  changed: (changed: number) => (changed === 1 ? '1 changed' : `${number(changed)} changed`),
  underWay: (isExport: boolean, done: number, total: number | null) => {
    const what = isExport ? 'Export' : 'Bulk change';
    const far = total === null ? `${number(done)} so far` : `${number(done)} of ${number(total)}`;
    return `${what} running: ${far}`;
  },
  changes: {
    done: ['Mark as not done', 'Mark as done'],
    read: ['Mark as unread', 'Mark as read'],
    starred: ['Remove star', 'Add star'],
    answered: ['Mark as not answered', 'Mark as answered'],
    spam: ['Mark as not spam', 'Mark as spam'],
    trash: ['Restore from trash', 'Move to trash'],
    rejudge: ['', 'Re-check for spam'],
  },
} as const;

/** Words of exports. */
export const exportWords = {
  title: 'Export',
  fixed: {
    id: 'ID',
    created_at: 'Received',
    spam: 'Spam',
    trash: 'Trash',
    origin: 'Site',
    files: 'File names',
    confirmation_state: 'Confirmed by the visitor',
  },
  formats: { csv: 'CSV', xlsx: 'Excel', ndjson: 'NDJSON' },
} as const;
