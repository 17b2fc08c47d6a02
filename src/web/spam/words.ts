const BANDS = { clean: 'clean', held: 'held', spam: 'spam' } as const;

/** Words of the page that says how a form judges what is sent. */
export const spamWords = {
  origins: {
    title: 'Recent sources',
    hint: 'The newest submissions of the last 30 days, including spam, by the site they came from.',
    empty: 'No submissions in the last 30 days. The sites your form is sent from will appear here.',
    origin: 'Site',
    verdict: 'Status now',
    count: 'Submissions',
    last: 'Last submission',
    allowed: 'Allowed',
    refused: 'Filed as spam',
    allow: (domain: string) => `Allow ${domain}`,
    unknown: 'Unknown',
    kept: 'Submissions already filed as spam stay there until you mark them as not spam.',
    toSpam: 'View spam of this form',
  },
  title: 'Spam',
  hint: 'Nothing is rejected: possible spam is held for your decision, and spam goes to the Spam folder.',
  level: 'Spam protection',
  levels: {
    relaxed: {
      name: 'Relaxed',
      hint: 'Holds only what several checks agree on. For forms that must not miss anyone.',
    },
    normal: {
      name: 'Normal',
      hint: 'Catches most spam and rarely holds a real message. Recommended.',
    },
    strict: {
      name: 'Strict',
      hint: 'Holds a submission when a single check finds something. Expect to review more of them.',
    },
    custom: { name: 'Custom', hint: 'Your own scores, set under “Fine-tune”.' },
  },
  customAt: (heldAt: string, spamAt: string) => `Held from ${heldAt}, spam from ${spamAt}.`,
  /** Says what a level would have done recently. */
  would: ({ held, spam }: { held: number; spam: number }) => {
    if (held + spam === 0) return 'Last 30 days: would have stopped nothing.';
    const parts = [
      ...(held > 0 ? [`held ${held.toLocaleString('en')}`] : []),
      ...(spam > 0 ? [`moved ${spam.toLocaleString('en')} to spam`] : []),
    ];
    return `Last 30 days: would have ${parts.join(' and ')}.`;
  },
  save: 'Save changes',
  tune: 'Fine-tune',
  tuneHint:
    'Each check that finds something adds its score. Submissions that reach the scores below are held or moved to spam.',
  signal: 'Check',
  on: 'Enabled',
  points: 'Score',
  onOf: (name: string) => `Enable: ${name}`,
  pointsOf: (name: string) => `Score: ${name}`,
  bands: 'Scores and holding',
  heldAt: 'Hold from this score',
  heldHint:
    'You are notified with the reasons. The email to the visitor and the webhook wait until you mark it as not spam.',
  spamAt: 'Move to spam from this score',
  spamHint: 'Goes to the Spam folder, and nobody is notified.',
  holdHours: 'Release held submissions after (hours)',
  holdHint: 'Leave empty to release them only when someone marks them as not spam.',
  honeypots: 'Honeypot fields',
  honeypotsHint:
    'Names of fields that people cannot see, separated by commas. Only bots fill these in.',
  scripts: 'Expected alphabets',
  scriptsHint:
    'Text mostly in other alphabets gets the score of “Unexpected alphabet”. Select none to accept any.',
  scriptNames: {
    Arabic: 'Arabic',
    Cyrillic: 'Cyrillic',
    Devanagari: 'Devanagari',
    Greek: 'Greek',
    Han: 'Chinese (Han)',
    Hangul: 'Korean (Hangul)',
    Hebrew: 'Hebrew',
    Kana: 'Japanese (Kana)',
    Latin: 'Latin',
    Thai: 'Thai',
  },
  captcha: 'Captcha',
  captchaHint:
    'Your page shows the widget of a provider, which then learns about your visitors. Proof of work needs no third party. A missing or invalid token gets the score; if the provider does not answer in time, the submission is held.',
  provider: 'Provider',
  noCaptcha: 'None',
  providers: {
    turnstile: 'Cloudflare Turnstile',
    hcaptcha: 'hCaptcha',
    recaptcha_v2: 'reCAPTCHA v2',
    recaptcha_v3: 'reCAPTCHA v3',
    friendly_captcha: 'Friendly Captcha',
  },
  siteKey: 'Site key',
  siteKeyHint: 'Public. “Setup” has a snippet that includes it.',
  secret: 'Secret key',
  secretHint: 'Never shown again. Leave empty to keep the stored key of the same provider.',
  action: 'Action',
  actionHint:
    'For Turnstile and reCAPTCHA v3: the action your page sets. Leave empty to accept any.',
  minScore: 'Minimum score',
  minScoreHint:
    'For reCAPTCHA v3: from 0 (bot) to 1 (person). Leave empty for 0.5, or to keep the stored score.',
  proof: 'Proof of work',
  proofHint:
    'The visitor’s device solves a small task before sending: free for a person, costly for a bot that sends thousands. Enable the check above and use the “proof of work” snippet from “Setup”.',
  requireProof: 'Hold submissions without it',
  requireProofHint:
    'This includes visitors without JavaScript. Pages on plain HTTP cannot do it and are never held for that.',
  lists: 'Block and allow lists',
  listsHint:
    'One entry per line: words, casino*, ann@example.com, example.com (with its subdomains), *.example or 203.0.113.0/24. Allowed entries always win.',
  block: 'Blocked',
  blockHint: 'A submission that contains an entry, or comes from such a network, gets the score.',
  allow: 'Always allowed',
  allowHint: 'Submissions from these are never held or spam, unless a honeypot is filled in.',
  saveLists: 'Save lists',
  caught: 'Caught in the last 30 days',
  caughtHint:
    'A submission counts for each check that found something. Reversed: marked as not spam later.',
  caughtNothing: 'No check has found anything yet.',
  caughtTotals: (count: { held: number; spam: number; reversed: number; missed: number }) =>
    `Total: ${count.held} held and ${count.spam} spam, of which ${count.reversed} reversed. Missed and marked as spam by hand: ${count.missed}.`,
  columns: { found: 'Found', held: 'Held', spam: 'Spam', reversed: 'Reversed' },
  lookedTo: 'Only the newest are counted, back to',
  signals: {
    honeypot: 'Honeypot filled in',
    fill_time: 'Submitted too fast',
    captcha: 'Captcha not solved',
    proof_of_work: 'Proof of work missing',
    origin: 'Domain not allowed',
    links: 'Many links, or links in unusual places',
    script: 'Unexpected alphabet, or alphabets mixed in a word',
    repetition: 'Same text sent within a day',
    rate: 'Many from one network (only with another check)',
    bot_headers: 'Program posing as a browser',
    disposable_email: 'Disposable email address',
    email_domain: 'Email address that cannot receive email (asks DNS)',
    lists: 'Matches the block list',
    learned: 'Words from submissions you marked as spam',
    rspamd: 'Marked by rspamd (needs RSPAMD_URL)',
    akismet: 'Marked by Akismet (needs AKISMET_KEY; sees the submission)',
  } as Record<string, string | undefined>,
} as const;

/** Words of what judges submissions again. */
export const rejudgeWords = {
  title: 'Re-check submissions',
  hint: 'Applies the current settings, lists and training to submissions this form has already received. Those that someone marked, starred, answered or completed stay as they are, and nothing is sent twice.',
  which: 'Submissions to re-check',
  whichHint:
    'A filter as in the inbox, such as from:7d or is:held. Leave empty for all, including spam.',
  look: 'Preview changes',
  go: 'Re-check submissions',
  looked: (count: number) => `Of the ${count.toLocaleString('en')} newest matching submissions:`,
  nothing: 'Nothing would change.',
  move: (count: number, from: keyof typeof BANDS, to: keyof typeof BANDS) =>
    `${count.toLocaleString('en')} from ${BANDS[from]} to ${BANDS[to]}`,
  kept: (count: number) =>
    `${count.toLocaleString('en')} stay as they are because someone decided on them.`,
  lookedTo: 'Checked back to',
  more: 'Older submissions are re-checked too.',
  sends:
    'Emails and webhook calls of submissions that become clean are sent, unless they already were.',
} as const;

/** Words of what the spam filter learns. */
export const spamLearningWords = {
  title: 'Spam training',
  hint: 'The filter learns words from submissions your team marks as spam, and from those it marks as not spam, stars, answers or completes. What your clients mark counts for their own forms only. No text is kept, and erased submissions are forgotten.',
  own: (spam: number, ham: number) =>
    `Learned from ${spam.toLocaleString('en')} spam and ${ham.toLocaleString('en')} other submissions.`,
  byClients: (spam: number, ham: number) =>
    `Learned from your clients, for their forms: ${spam.toLocaleString('en')} spam and ${ham.toLocaleString('en')} other submissions.`,
  silent: (needed: number) => `It starts to judge once it knows ${needed} of each.`,
  speaks: 'It now judges new submissions, and names the words behind each decision.',
  reset: 'Reset training',
  question:
    'The filter starts over and learns from new marks only. Existing marks stay as they are.',
  go: 'Reset training',
} as const;
