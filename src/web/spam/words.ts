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
    scripts: 'What do people write in?',
    scriptsHint:
      'Text that is mostly in other letters gets the points of “Letters”. None ticked: any.',
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
      'The page of the form shows the widget of a provider, who then knows your visitors; a proof of work asks nobody. A token that is missing or no good gets the points. What the provider does not answer in time is held, and never lost.',
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
    siteKeyHint:
      'It stands in the page of the form. The snippet with it is on the page of the form here.',
    secret: 'Secret key',
    secretHint:
      'It is never shown again. Empty: the one that is stored, if the provider is the same.',
    action: 'Action',
    actionHint:
      'Of Turnstile and reCAPTCHA v3: what the page says that it is for. Empty: anything.',
    minScore: 'Lowest score',
    minScoreHint:
      'Of reCAPTCHA v3: from 0, a program, to 1, a person. Empty: 0.5, or what is stored.',
    proof: 'Proof of work',
    proofHint:
      'The visitor’s computer does a small task before it sends, which costs a person nothing and a bot that sends thousands a lot. Switch it on above, and put the snippet with it from the page of the form into your page.',
    requireProof: 'Hold what comes without it',
    requireProofHint:
      'Also what people send who have no script. Pages on plain http cannot do it, and are never held for that.',
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
      captcha: 'No captcha solved, where the form shows one',
      proof_of_work: 'No proof of work done by the visitor’s computer',
      origin: 'A page that the allowed sites do not name',
      links: 'Many links, or links where nobody writes them',
      script: 'Letters: mixed in one word, or not those that people here write in',
      repetition: 'A text that came before within a day',
      rate: 'Many from one network, beside something else',
      bot_headers: 'A program that pretends to be a browser',
      disposable_email: 'An address that is thrown away after use',
      email_domain: 'An address at which nobody takes mail (asks the DNS)',
      lists: 'What this form blocks',
      learned: 'Words of what you marked as spam',
      rspamd: 'What rspamd calls spam (when RSPAMD_URL is set)',
      akismet: 'What Akismet calls spam (when AKISMET_KEY is set; it is told what was sent)',
    } as Record<string, string | undefined>,
  },
} as const;
