const BANDS = { clean: 'clean', held: 'held', spam: 'spam' } as const;

/** Words of the page that says how a form judges what is sent. */
export const spamWords = {
  origins: { title: 'Recent sources', count: 'Submissions', last: 'Last submission' },
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
  /** Says what a level would have done recently. */
  would: ({ held, spam }: { held: number; spam: number }) => {
    if (held + spam === 0) return 'Last 30 days: would have stopped nothing.';
    const parts = [
      ...(held > 0 ? [`held ${held.toLocaleString('en')}`] : []),
      ...(spam > 0 ? [`moved ${spam.toLocaleString('en')} to spam`] : []),
    ];
    return `Last 30 days: would have ${parts.join(' and ')}.`;
  },
  tune: 'Fine-tune',
  signal: 'Check',
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
  providers: {
    turnstile: 'Cloudflare Turnstile',
    hcaptcha: 'hCaptcha',
    recaptcha_v2: 'reCAPTCHA v2',
    recaptcha_v3: 'reCAPTCHA v3',
    friendly_captcha: 'Friendly Captcha',
  },
  caught: 'Caught in the last 30 days',
  columns: { found: 'Found', held: 'Held', spam: 'Spam', reversed: 'Reversed' },
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
  move: (count: number, from: keyof typeof BANDS, to: keyof typeof BANDS) =>
    `${count.toLocaleString('en')} from ${BANDS[from]} to ${BANDS[to]}`,
} as const;
