/** Words of statistics. */
export const statisticsWords = {
  statistics: {
    title: 'Statistics',
    of: (form: string) => `Statistics of ${form}`,
    spans: 'Span',
    span: { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' },
    from: 'From',
    to: 'To',
    by: 'One bar is',
    steps: { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' },
    columns: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
    show: 'Show',
    weekFrom: (day: string) => `from ${day}`,
    submissions: 'Submissions',
    spam: 'Spam',
    most: {
      hour: 'Busiest hour',
      day: 'Busiest day',
      week: 'Busiest week',
      month: 'Busiest month',
    },
    notADay: 'must be a day, such as 2030-01-31',
    tooFine: 'That would be more than 400 bars: let one be longer, or choose a shorter span.',
    wrongOrder: 'must not be before the first day',
    fromTo: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
    before: (days: number) => (days === 1 ? 'the day before' : `the ${days} days before`),
    same: (count: string, before: string) => `As many as in ${before}: ${count}`,
    none: (before: string) => `None in ${before}`,
    more: (by: string, count: string, before: string) => `${by} more than in ${before}: ${count}`,
    fewer: (by: string, count: string, before: string) => `${by} fewer than in ${before}: ${count}`,
    bar: (when: string, submissions: number, spam: number) =>
      `${when}: ${submissions === 1 ? '1 submission' : `${submissions} submissions`}${spam > 0 ? `, ${spam} spam` : ''}`,
    hint: 'What was received, also what is in the trash or was erased since. The newest are counted within a few seconds.',
    lastDays: (days: number) => `Last ${days} days`,
    spark: (sum: number, days: number, most: number) =>
      sum === 0 ? `none in ${days} days` : `${sum} in ${days} days, at most ${most} a day`,
  },
} as const;
