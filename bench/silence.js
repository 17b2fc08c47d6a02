import { mkdirSync, writeFileSync } from 'node:fs';
import buildWhenChanged from '../scripts/build-when-changed.js';
import { readOptions } from './begin.js';
import { BEGIN, END, randomOf, RHYTHMS } from './rhythms.js';

const HELP = `Usage: npm run bench:silence -- [options]

Lets made-up forms live for two years, has some die, and tells how often a healthy form is taken for dead and how soon a
dead one is noticed, for each level.

  --forms N    forms of each rhythm, default 6
  --deaths N   deaths of each form, each for itself, default 12
  --only TEXT  only rhythms whose name has it
  --strict     a missed target fails the run
`;

const options = readOptions(HELP, {
  forms: { type: 'string', default: '6' },
  deaths: { type: 'string', default: '12' },
  only: { type: 'string', default: '' },
  strict: { type: 'boolean', default: false },
});
buildWhenChanged();
const { RhythmLearner } = await import('../build/health/watch/rhythm.js');
const { silentFrom } = await import('../build/health/watch/rhythm.js');

const LEVELS = ['quiet', 'normal', 'strict'];
/** Limits that are measured; a suspicion is no alarm: the page is looked at. */
const MEASURED = [...LEVELS, 'suspicion'];
/** Hours until the task looks that a form is due for, and the next one tells; and until a broken page was looked at twice. */
const TOLD_WITHIN = 0.25;
const PAGE_LOOKS = 0.25;
/** The part of two years in which forms die. */
const DYING = { from: 0.15, to: 0.98 };

const rows = RHYTHMS.filter(({ name }) => name.includes(options.only)).map((rhythm, index) => measure(rhythm, index));
print(rows);
const above = rows.filter(({ levels }) => levels.normal.wrong > 1);
console.log(`\nmore than one false alarm at normal: ${above.map(({ name }) => name).join('; ') || 'none'}`);
const targets = targetsOf(rows);
for (const { words, isReached } of targets) console.log(`${isReached ? 'reached' : 'MISSED '}  ${words}`);
mkdirSync(new URL('results', import.meta.url), { recursive: true });
const day = new Date().toISOString().slice(0, 10);
writeFileSync(
  new URL(`results/silence-${day}.json`, import.meta.url),
  JSON.stringify({ options, rows, targets }, null, 2),
);
if (options.strict && targets.some(({ isReached }) => !isReached)) process.exitCode = 1;

/** Lets forms of a rhythm live, and measures each level. */
function measure({ name, perDay, make }, index) {
  const found = Object.fromEntries(MEASURED.map((limit) => [limit, { wrong: 0, after: [] }]));
  const withPage = [];
  for (let form = 1; form <= Number(options.forms); form++) {
    const random = randomOf(form * 7_919 + index);
    const hours = make(random);
    const span = END - BEGIN;
    const deaths = Array.from({ length: Number(options.deaths) }, () =>
      Math.floor(BEGIN + span * (DYING.from + random() * (DYING.to - DYING.from))),
    ).sort((one, other) => one - other);
    live(
      hours,
      deaths,
      (limit, after) => {
        if (after === null) found[limit].wrong++;
        else found[limit].after.push(after);
      },
      withPage,
    );
  }
  const perForm = (count) => count / Number(options.forms);
  return {
    ...{ name, perDay },
    levels: Object.fromEntries(
      MEASURED.map((limit) => {
        const { wrong, after } = found[limit];
        return [limit, { wrong: perForm(wrong), half: quantile(after, 0.5), most: quantile(after, 0.9) }];
      }),
    ),
    withPage: { half: quantile(withPage, 0.5), most: quantile(withPage, 0.9) },
  };
}

/** Goes through the life of a form. @param tell hears of each limit that is exceeded: null where it lived, else hours since its death */
function live(hours, deaths, tell, withPage) {
  const learner = new RhythmLearner(BEGIN);
  let rhythm = null;
  let learnt = 0;
  let dead = 0;
  for (const [at, hour] of hours.entries()) {
    learner.receive(hour);
    if (hour - learnt >= 24) {
      rhythm = learner.learn();
      learnt = hour;
    }
    const next = hours[at + 1] ?? END;
    while (deaths[dead] < hour) dead++;
    const dying = [];
    while (deaths[dead] <= next && dead < deaths.length) dying.push(deaths[dead++]);
    if (!rhythm) continue;
    const from = Object.fromEntries(MEASURED.map((limit) => [limit, silentFrom(rhythm, hour, limit)]));
    for (const limit of MEASURED) {
      if (from[limit] !== null && from[limit] + TOLD_WITHIN <= next && next < END) tell(limit, null);
    }
    for (const death of dying) {
      for (const limit of MEASURED) tell(limit, since(death, from[limit]));
      const suspected = from.suspicion === null ? null : Math.max(from.suspicion, death) + PAGE_LOOKS;
      const seen = [from.normal, suspected].filter((each) => each !== null);
      withPage.push(since(death, seen.length > 0 ? Math.min(...seen) : null));
    }
  }
}

/** Returns the hours until it was noticed; a whole year stands for never. */
function since(death, noticed) {
  return noticed === null ? 8_760 : Math.max(noticed + TOLD_WITHIN - death, 0);
}

function quantile(numbers, part) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)] ?? NaN;
}

function targetsOf(rows) {
  const wrong = rows.map(({ levels }) => levels.normal.wrong);
  const mean = wrong.reduce((sum, each) => sum + each, 0) / wrong.length;
  const within = (perDay, what, most) => {
    const meant = rows.filter((row) => row.perDay === perDay);
    const found = Math.max(...meant.map(what));
    return {
      words: `${perDay} a day: noticed within ${span(most)}, half of the deaths; the slowest rhythm ${span(found)}`,
      isReached: found <= most,
    };
  };
  return [
    {
      words: `normal: at most 1 false alarm of a form in two years, on average; ${mean.toFixed(2)}`,
      isReached: mean <= 1,
    },
    within(10, ({ levels }) => levels.normal.half, 24),
    within(1, ({ withPage }) => withPage.half, 5 * 24),
  ];
}

function span(hours) {
  if (Number.isNaN(hours)) return '–';
  if (hours >= 8_760) return 'never';
  return hours < 48 ? `${Math.round(hours)} h` : `${(hours / 24).toFixed(1)} d`;
}

function print(rows) {
  const head = [
    'Rhythm',
    ...LEVELS.flatMap((level) => [`${level}: false`, 'half', '90 %']),
    'page shows it: half',
    '90 %',
    'looks a year',
  ];
  console.log(`| ${head.join(' | ')} |\n|${head.map((_, at) => (at === 0 ? '---' : '--:')).join('|')}|`);
  for (const { name, levels, withPage } of rows) {
    const cells = LEVELS.flatMap((level) => {
      const { wrong, half, most } = levels[level];
      return [wrong.toFixed(1), span(half), span(most)];
    });
    const looks = (levels.suspicion.wrong / 2).toFixed(0);
    console.log(`| ${[name, ...cells, span(withPage.half), span(withPage.most), looks].join(' | ')} |`);
  }
}
