const number = (count: number) => count.toLocaleString('en');

/** Words of jobs that change or export all submissions which a filter means. */
export const jobWords = {
  newTitle: 'Bulk change',
  exportTitle: 'Export',
  exportHint:
    'We create the file in the background. You can leave this page: we email you when it is ready. A restart of the service starts the export again.',
  download: (size: string) => `Download (${size})`,
  fileUntil: 'Available until',
  fileGone: 'The file is gone. It expired, or someone erased submissions in it.',
  title: 'Bulk change',
  filter: 'Filter',
  everything: 'Everything except spam and trash',
  what: 'Change',
  format: 'Format',
  matching: 'Results now',
  counted: (count: number, isExact: boolean) =>
    isExact ? number(count) : `${number(count)} or more (counting all takes too long)`,
  by: 'By',
  begun: 'Started',
  ended: 'Ended',
  hint: 'The change runs in the background, even if you close this page. You can stop it, but you cannot undo it. Submissions that arrive in the meantime stay unchanged.',
  nothing: 'Nothing matches this filter.',
  go: (count: number | null) => (count === null ? 'Change all' : `Change ${number(count)}`),
  stop: 'Stop',
  refresh: 'Refresh',
  states: {
    waiting: 'Waiting',
    running: 'Running',
    finished: 'Finished',
    stopped: 'Stopped',
    failed: 'Failed',
  },
  progress: 'Progress',
  passed: (done: number, total: number | null) =>
    total === null
      ? `${number(done)} processed so far`
      : `${number(done)} of ${number(total)} processed`,
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
  assign: (name: string | null) => (name === null ? 'Remove assignee' : `Assign to ${name}`),
  addTag: (tag: string) => `Add tag “${tag}”`,
  removeTag: (tag: string) => `Remove tag “${tag}”`,
} as const;

/** Words of exports. */
export const exportWords = {
  choose: 'Choose columns',
  title: 'Export',
  what: 'Exports:',
  everything: 'everything except spam and trash',
  columns: 'Columns',
  columnsHint:
    'Leave all unchecked to export every column, including fields that only older submissions have.',
  fixed: {
    id: 'ID',
    created_at: 'Received',
    spam: 'Spam',
    trash: 'Trash',
    origin: 'Site',
    files: 'File names',
    confirmation_state: 'Confirmed by the visitor',
  },
  zone: 'Time zone of the times',
  download: (format: string) => `Download ${format}`,
  large: 'In the background',
  largeHint:
    'For many submissions. We prepare the file while you do something else, and keep it for 24 hours. Interrupted downloads resume.',
  format: 'Format',
  background: 'Prepare file',
  exports: 'Export:',
  formats: { csv: 'CSV', xlsx: 'Excel', ndjson: 'NDJSON' },
} as const;
