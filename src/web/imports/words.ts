const number = (count: number) => count.toLocaleString('en');
const counted = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${number(count)} ${more}`;

/** Words of the pages that import submissions of other services. */
export const importWords = {
  title: 'Import',
  hint: 'Bring in the submissions that another service received. They keep their original times and spam marks. Nobody gets an email or a webhook call for them.',
  provider: 'Exported from',
  file: 'File',
  fileHint:
    'The file as you downloaded it: JSON or CSV. Unpack archives first, and save sheets as CSV (UTF-8). You see what is in it before we store anything.',
  look: 'Preview',
  noFile: 'choose a file',
  earlier: 'Earlier imports',
  begun: 'Started',
  state: 'State',
  done: 'Imported',
  show: 'Show',
  unnamed: 'Unnamed file',
  states: {
    draft: 'Not started',
    waiting: 'Waiting',
    running: 'Running',
    finished: 'Finished',
    failed: 'Failed',
    undoing: 'Undoing',
    undone: 'Undone',
  },
  by: 'By',
  size: 'Size',
  ready: (count: number) =>
    counted(count, 'submission is ready to import.', 'submissions are ready to import.'),
  some: (count: number) =>
    `We looked at the first ${number(count)} rows. The import goes through all of them.`,
  skipped: (count: number) =>
    counted(
      count,
      'row is already in this form and is skipped.',
      'rows are already in this form and are skipped.',
    ),
  broken: (count: number) => counted(count, 'row cannot be imported.', 'rows cannot be imported.'),
  spam: (count: number) => counted(count, 'of them is spam.', 'of them are spam.'),
  expired: (count: number, days: number) =>
    `${counted(count, 'submission is', 'submissions are')} older than the ${number(days)} days that this form keeps submissions. We would delete them within the hour.`,
  toRetention: 'Change retention',
  first: 'First submissions',
  time: 'Submitted',
  values: 'Values',
  isSpam: 'Spam',
  brokenTitle: 'Rows that cannot be imported',
  missing: (count: number) =>
    counted(count, 'file could not be fetched.', 'files could not be fetched.'),
  missingTitle: 'Files that could not be fetched',
  line: 'Line',
  reason: 'Reason',
  more: (count: number) => `… and ${number(count)} more`,
  reading: 'How to read the file',
  columnsHint:
    'Choose the column with the time, leave out what you do not need, and rename columns to the field names of this form.',
  column: 'Column',
  known: 'Read as part of the submission itself',
  encoding: 'Encoding',
  anyEncoding: (name: string) => `Automatic (${name})`,
  dates: 'Dates such as 3/4/2023',
  anyOrder: 'As other rows prove',
  orders: { day_first: 'Day first (3 April)', month_first: 'Month first (March 4)' },
  use: 'Use as',
  name: 'Field name',
  useOf: (column: string) => `Use of the column ${column}`,
  nameOf: (column: string) => `Field name for the column ${column}`,
  uses: { field: 'Field', time: 'Time', none: 'Leave out' },
  tooMany: (max: number) =>
    `The file has more than ${max} columns. Use the API to rename columns or to leave some out.`,
  undated: 'Rows without a time',
  undatedNames: { refuse: 'Cannot be imported', now: 'Get the time of the import' },
  unprefix: 'Remove the apostrophe before formulas',
  unprefixHint: "Some exports write '=1+1 so that spreadsheets do not run it.",
  files: 'Fetch uploaded files',
  filesHint:
    'Values that are addresses of files are replaced by these files. Addresses that lead to no file stay as text.',
  apply: 'Update preview',
  go: (count: number) => `Import ${number(count)}`,
  goAll: 'Import all',
  cancel: 'Cancel',
  progress: 'Progress',
  percent: (share: number) => `${Math.floor(share * 100)}% of the file read`,
  running: 'The import runs in the background, even if you close this page.',
  result: (imported: number) => counted(imported, 'submission imported', 'submissions imported'),
  undo: 'Undo this import',
  undoQuestion: (count: number) =>
    `Delete the ${counted(count, 'submission', 'submissions')} of this import permanently? All others stay.`,
  undoGo: 'Delete them',
  toInbox: 'Open the inbox',
  refresh: 'Refresh',
  from: 'Import from another service',
} as const;
