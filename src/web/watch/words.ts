const count = (n: number) => n.toLocaleString('en');
const hours = (n: number) => (n === 1 ? 'an hour ago' : `${n} hours ago`);

/** Words of how a form is watched, and of its canary. Moments are written in ISO 8601 and shown in the person's zone. */
export const watchWords = {
  title: 'Watch',
  of: (form: string) => `Watch · ${form}`,
  /** Says how long ago an hour began. */
  ago: (n: number) =>
    n < 1
      ? 'less than an hour ago'
      : n < 48
        ? hours(n)
        : `${Math.floor(n / 24).toLocaleString('en')} days ago`,
  fares: {
    alive: 'Alive',
    aliveText: (ago: string, until: string | null) =>
      `The last submission came ${ago}.${until === null ? '' : ` If nothing comes, we tell you after ${until}.`}`,
    silent: 'Silent',
    silentText: (ago: string, at: string) =>
      `The last submission came ${ago}, around ${at}: an unusually long silence for this form. Open its page and send it once. Does the form still show, and does it still send here?`,
    learning: 'Still learning',
    learningText:
      'To know how often submissions come, we need three weeks and ten hours with submissions.',
    lastText: (ago: string) => ` The last one came ${ago}.`,
    never_connected: 'Nothing has come yet',
    neverText: 'Add the form to your page, and send it once.',
    off: 'Not watched',
    offText: 'We do not tell you when the form falls silent.',
    shutText: 'The form takes no submissions now, so we do not wait for any.',
    soonText: 'We begin to watch it within a few minutes.',
  },
  /** Text alternatives of dots in lists. */
  dots: {
    alive: 'Alive',
    silent: (day: string) => `Silent since ${day}`,
    learning: 'Still learning how often submissions come',
    never_connected: 'Nothing has come yet',
    off: 'Not watched',
    failing: (day: string) => `Check fails since ${day}`,
    visitors_refused: 'Refuses visitors',
    verdicts_changed: 'Nearly everything is judged spam',
    spam_rising: 'Much more spam than usual',
  },
  rhythm: {
    title: 'Last 28 days',
    received: 'Received',
    today: 'Today so far',
    usual: 'Usual',
    sum: (n: number) =>
      `${n === 0 ? 'No submissions' : n === 1 ? 'One submission' : `${count(n)} submissions`} in 28 days of UTC, without spam.`,
    /** Says how many whole days were not as usual. */
    unusual: (below: number, above: number) => {
      const said = [
        ...(below > 0 ? [`${below} below`] : []),
        ...(above > 0 ? [`${above} above`] : []),
      ];
      if (said.length === 0) return 'All whole days were as usual.';
      return `Days that were not as usual: ${said.join(', ')}.`;
    },
    unknown: 'What is usual shows after three weeks.',
    bar: (day: string, received: number, usual: string | null) =>
      `${day}: ${count(received)}${usual === null ? '' : `, usual ${usual}`}`,
    range: (low: number, high: number) =>
      low === high ? count(low) : `${count(low)}–${count(high)}`,
    asTable: 'Show as table',
    day: 'Day',
    noneKnown: 'Not known',
  },
  level: {
    title: 'How soon we tell you',
    hint: 'We email those who get the emails about this form, once when it falls silent and once when it is alive again.',
    save: 'Save',
    levels: {
      off: { name: 'Off', hint: 'We tell you nothing about its rhythm.' },
      quiet: { name: 'Quiet', hint: 'Later. About one false alarm in twenty years.' },
      normal: { name: 'Normal', hint: 'About one false alarm in three years.' },
      strict: { name: 'Strict', hint: 'Sooner. About two false alarms a year.' },
    },
  },
  canary: {
    title: 'Canary',
    hint: 'We fetch the page of your form, look whether the form on it reaches us, and send a test submission the way of a visitor. Nobody is told of it, and nothing counts it.',
    unseen:
      'It cannot see whether scripts of the page fail, whether a captcha works, or what a visitor’s browser blocks.',
    isOff: 'On this service, checks run only when you ask for one.',
    schedule: 'How often',
    schedules: {
      off: 'Never',
      weekly: 'Every week',
      daily: 'Every day',
      hourly: 'Every hour',
    },
    page: 'Address of the page (optional)',
    pageHint: 'Leave it empty for the page that most recent submissions came from.',
    pageNone: 'Page of the newest submission',
    pageShown: 'Page',
    save: 'Save',
    last: 'Last check',
    never: 'Never',
    next: 'Next check',
    noNext: 'None',
    failing: 'Fails since',
    run: 'Check now',
    runHint: 'It takes up to a minute.',
    step: 'Step',
    state: 'Result',
    detail: 'Details',
    steps: {
      page: 'Page',
      form: 'Form on the page',
      address: 'Form address',
      intake: 'Test submission',
      database: 'Database',
      queue: 'Queue',
      mail: 'Mail server',
    },
    states: { ok: 'OK', failed: 'Failed', skipped: 'Skipped', unseen: 'Not visible' },
  },
} as const;
