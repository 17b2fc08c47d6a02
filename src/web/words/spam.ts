/** Words of the page that says how a form judges what is sent. */
export const spamWords = {
  spam: {
    title: 'Spam',
    hint: 'What looks for spam in each submission, and how many points a find adds. What has enough of them is held or filed as spam; nothing is ever refused or lost for it.',
    change: 'Say what is spam',
    signal: 'Looks for',
    on: 'On',
    points: 'Points',
    onOf: (name: string) => `On: ${name}`,
    pointsOf: (name: string) => `Points: ${name}`,
    bands: 'When is it spam?',
    heldAt: 'Held from this many points on',
    heldHint:
      'You are told of it with the reasons. The visitor and the webhook are told once you say that it is no spam.',
    spamAt: 'Spam from this many points on',
    spamHint: 'It is kept in the folder Spam, and nobody is told.',
    holdHours: 'Hours after which what is held goes out by itself',
    holdHint: 'Empty: only when somebody says that it is no spam.',
    honeypots: 'Fields that people do not see',
    honeypotsHint: 'Their names, divided by commas. Whoever fills one in is a bot.',
    lists: 'Blocked and allowed',
    listsHint:
      'One a line: a word or some words, casino*, ann@example.com, example.com with all below it, *.example, 203.0.113.0/24. What is allowed is so whatever else is blocked.',
    block: 'Blocked',
    blockHint: 'Whatever has one of these anywhere, or comes from such a network, gets the points.',
    allow: 'Always allowed',
    allowHint:
      'What is from one of these is never held or spam, unless it filled in a field that people do not see.',
    saveLists: 'Save the lists',
    caught: 'What was caught in the last 30 days',
    caughtHint:
      'A submission counts for every signal that found something in it. Reversed: somebody said that it is no spam.',
    caughtNothing: 'No signal found anything yet.',
    caughtTotals: (count: { held: number; spam: number; reversed: number; missed: number }) =>
      `In all: ${count.held} held, ${count.spam} spam; of them ${count.reversed} reversed. Passed, and marked as spam by hand: ${count.missed}.`,
    columns: { found: 'Found', held: 'Held', spam: 'Spam', reversed: 'Reversed' },
    lookedTo: 'Only the newest are counted, back to',
    signals: {
      honeypot: 'A field filled in that people do not see',
      fill_time: 'A form filled in faster than people do',
      origin: 'A page that the allowed sites do not name',
      links: 'Many links, or links where nobody writes them',
      script: 'Letters of different scripts in one word',
      repetition: 'A text that came before within a day',
      rate: 'Many from one network, beside something else',
      bot_headers: 'A program that pretends to be a browser',
      lists: 'What this form blocks',
      learned: 'Words of what you marked as spam',
    } as Record<string, string | undefined>,
  },
} as const;
