/** Sentences about the keys of the inbox. */
export const keyWords = {
  title: 'Keys',
  list: [
    ['j', 'next row, or next submission'],
    ['k', 'row before, or submission before'],
    ['o', 'open'],
    ['x', 'select'],
    ['e', 'done'],
    ['s', 'star'],
    ['u', 'unread'],
    ['!', 'spam'],
    ['#', 'trash'],
    ['t', 'tag'],
    ['a', 'assign'],
    ['m', 'assign to me'],
    ['.', 'show what is new'],
    ['z', 'undo'],
    ['/', 'search'],
    ['?', 'this list'],
  ],
  off: 'No keys but ? in this browser',
  close: 'Close',
} as const;
