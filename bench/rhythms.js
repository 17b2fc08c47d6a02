/** Ways in which forms live, made up. Each makes the hours of two years in which something comes. */
const WEEK = 168;
const YEARS = 2;
/** The first hour: a Monday in January. */
export const BEGIN = Math.floor(Date.UTC(2030, 0, 7) / 3_600_000);
export const END = BEGIN + YEARS * 52 * WEEK;

/** Public holidays, as in much of Europe: month from 0, day. */
const HOLIDAYS = [
  [0, 1],
  [3, 19],
  [3, 22],
  [4, 1],
  [4, 30],
  [5, 10],
  [9, 3],
  [11, 24],
  [11, 25],
  [11, 26],
  [11, 31],
];
const holidays = new Set(
  [2030, 2031, 2032].flatMap((year) => HOLIDAYS.map(([month, day]) => Date.UTC(year, month, day) / 86_400_000)),
);

/** Returns numbers from 0 to 1 that a seed decides. */
export function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const time = (hour) => hour % 24;
const weekday = (hour) => (Math.floor(hour / 24) + 4) % 7;
const week = (hour) => Math.floor((hour - BEGIN) / WEEK);
const isWorkday = (hour) => weekday(hour) >= 1 && weekday(hour) <= 5;
const isHoliday = (hour) => holidays.has(Math.floor(hour / 24));

/** Shapes of a week, each with mean 1 or about. */
const office = (hour) => (isWorkday(hour) && time(hour) >= 8 && time(hour) < 18 ? WEEK / 50 : 0);
const daytime = (hour) => (isWorkday(hour) ? 1.2 : 0.5) * (time(hour) >= 7 && time(hour) < 23 ? 1.4 : 0.2);
const nightly = (hour) => (time(hour) >= 20 || time(hour) < 2 ? 4 : 0);
const flat = () => 1;

/** Makes a rhythm in which submissions come by chance, so many an hour. */
function byChance(name, rateAt, perDay = null) {
  const make = (random) => {
    const hours = [];
    for (let hour = BEGIN; hour < END; hour++) {
      if (random() > Math.exp(-rateAt(hour))) hours.push(hour);
    }
    return hours;
  };
  return { name, make, perDay };
}

/** Makes a rhythm of a machine or of people who come once a day at about the same time. */
function daily(name, at, spread, isMissed) {
  const make = (random) => {
    const hours = [];
    for (let day = BEGIN; day < END; day += 24) {
      if (random() < isMissed) continue;
      hours.push(day + at + Math.round(normal(random) * spread));
    }
    return hours.sort((one, other) => one - other);
  };
  return { name, make, perDay: 1 };
}

const AMOUNTS = [
  ['100 a day', 100],
  ['30 a day', 30],
  ['10 a day', 10],
  ['3 a day', 3],
  ['1 a day', 1],
  ['3 a week', 3 / 7],
  ['1 a week', 1 / 7],
  ['1 a month', 1 / 30],
];

const newsletter = (since, sent, hours) =>
  since >= 0 && since < 6 * hours ? (sent * Math.exp(-since / hours)) / hours : 0;
const inYear = (hour) => ((hour - BEGIN) / WEEK) % 52;

export const RHYTHMS = [
  ...AMOUNTS.map(([name, amount]) => byChance(`by chance, ${name}`, () => (amount / 24) * flat(), amount)),
  ...AMOUNTS.map(([name, amount]) => byChance(`daytime, ${name}`, (hour) => (amount / 24) * daytime(hour), amount)),
  ...AMOUNTS.slice(0, 6).map(([name, amount]) =>
    byChance(`office hours, holidays, ${name}`, (hour) => (isHoliday(hour) ? 0 : (amount / 24) * office(hour))),
  ),
  byChance('office hours, no holidays, 10 a day', (hour) => (10 / 24) * office(hour), 10),
  byChance(
    'office hours through summer time, 10 a day',
    (hour) => {
      const month = new Date(hour * 3_600_000).getUTCMonth();
      return (10 / 24) * office(month >= 3 && month < 10 ? hour + 1 : hour);
    },
    10,
  ),
  byChance('nightly, 10 a day', (hour) => (10 / 24) * nightly(hour), 10),
  byChance('nightly, 1 a day', (hour) => (1 / 24) * nightly(hour), 1),
  daily('a job each night', 3, 0.3, 0),
  daily('somebody each day, give or take four hours', 10, 2, 0.05),
  byChance('weekly newsletter, bursts of 60', (hour) => 0.5 / 24 + newsletter(((hour - BEGIN) % WEEK) - 34, 60, 8)),
  byChance('monthly newsletter, bursts of 200', (hour) => {
    const month = Math.floor((hour - BEGIN) / (4 * WEEK));
    const sentAt = BEGIN + month * 4 * WEEK + ((month * 7_919) % 9) * 24 + 10;
    return 0.3 / 24 + newsletter(hour - sentAt, 200, 12);
  }),
  byChance('season of 18 weeks, 5 a day', (hour) => (inYear(hour) >= 20 && inYear(hour) < 38 ? 5 / 24 : 0.1 / 24)),
  byChance(
    'wave over the year, up to 6 a day',
    (hour) => (3 / 24) * (1 + Math.cos((2 * Math.PI * inYear(hour)) / 52)) * daytime(hour),
  ),
  byChance('shop before Christmas', (hour) => (inYear(hour) >= 44 && inYear(hour) < 51 ? 13.5 / 24 : 1.5 / 24)),
  byChance('dying slowly, half in 26 weeks', (hour) => (10 / 24) * 2 ** (-week(hour) / 26)),
  byChance('dying fast, half in 8 weeks', (hour) => (10 / 24) * 2 ** (-week(hour) / 8)),
  byChance('growing, twice in 20 weeks', (hour) => (1 / 24) * 2 ** (week(hour) / 20)),
  byChance('closed from 23 December to 2 January', (hour) => {
    const [, month, day] = new Date(hour * 3_600_000).toISOString().split(/[-T]/).map(Number);
    return (month === 12 && day >= 23) || (month === 1 && day <= 2) ? 0 : (5 / 24) * daytime(hour);
  }),
  byChance('three weeks of summer holidays', (hour) =>
    Math.floor(inYear(hour)) >= 30 && Math.floor(inYear(hour)) < 33 ? 0.05 / 24 : (5 / 24) * office(hour),
  ),
  byChance(
    'weeks that differ, 4 a day',
    (hour) => (4 / 24) * [0.3, 0.7, 1, 2][(week(hour) * 2_654_435_761) >>> 30] * daytime(hour),
  ),
  {
    name: 'five at a time, each three days',
    perDay: null,
    make: (random) => {
      const hours = new Set();
      for (let hour = BEGIN; hour < END; hour += -Math.log(1 - random()) * 60) {
        for (let at = 0; at < 5; at++) hours.add(Math.floor(hour + at * 2 * random()));
      }
      return [...hours].filter((hour) => hour < END).sort((one, other) => one - other);
    },
  },
  byChance('two weeks each quarter, 8 a day', (hour) => (week(hour) % 13 < 2 ? (8 / 24) * daytime(hour) : 0.02 / 24)),
];
