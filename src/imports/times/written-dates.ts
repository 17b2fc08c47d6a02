import type { DayOrder } from '../model/import-options.js';

/** A day as a text names it. */
export interface WrittenDate {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  /** The order that the date proves; null where its text says nothing about that of others. */
  proves: DayOrder | null;
  /** Whether it is another day in the other order: this one has the month first. */
  isEither: boolean;
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const DAY_AND_NAME =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[ -]?(?:of )?([a-zä]{3,9})\.?,?[ -]?'?(\d{4}|\d{2})$/;
const NAME_AND_DAY = /^([a-zä]{3,9})\.?[ -]?(\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4})$/;
const YEAR_AND_NAME = /^(\d{4})[ -]([a-zä]{3,9})[ -](\d{1,2})$/;

/** Names of months, in English and German, each with its short ones. */
const MONTHS = [
  'jan january januar jänner',
  'feb february februar',
  'mar march mär märz mrz maerz',
  'apr april',
  'may mai',
  'jun june juni',
  'jul july juli',
  'aug august',
  'sep sept september',
  'oct october okt oktober',
  'nov november',
  'dec december dez dezember',
];
const MONTH_OF = new Map(
  MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);
/** Years of two digits up to this one are of this century (POSIX: 68; spreadsheets: 29 and 49). */
const LATEST_SHORT_YEAR = 69;

/**
 * Reads a day without its time, such as `2023/05/17`, `17.5.23` or `May 17, 2023`.
 * @param text short, in small letters, with single blanks
 * @returns null for what is no day of a calendar
 */
export function readDate(text: string): WrittenDate | null {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return known(year, Number(month), day);
  const named = ofName(text);
  if (named) return named;
  const [, one, sign, other, last] = YEAR_LAST.exec(text) ?? [];
  if (one === undefined) return null;
  const dayFirst = known(last, Number(other), one);
  // No country writes the month first with dots.
  if (sign === '.') return dayFirst;
  const monthFirst = known(last, Number(one), other);
  if (!dayFirst || !monthFirst) {
    if (dayFirst) return { ...dayFirst, proves: 'day_first' };
    return monthFirst && { ...monthFirst, proves: 'month_first' };
  }
  return { ...monthFirst, isEither: Number(one) !== Number(other) };
}

/** Returns the same day in the other order. */
export function swapped(date: WrittenDate): WrittenDate {
  return { ...date, month: date.day, day: date.month };
}

function ofName(text: string): WrittenDate | null {
  const dayFirst = DAY_AND_NAME.exec(text);
  if (dayFirst) return known(dayFirst[3], MONTH_OF.get(dayFirst[2] ?? ''), dayFirst[1]);
  const monthFirst = NAME_AND_DAY.exec(text);
  if (monthFirst) return known(monthFirst[3], MONTH_OF.get(monthFirst[1] ?? ''), monthFirst[2]);
  const yearFirst = YEAR_AND_NAME.exec(text);
  if (yearFirst) return known(yearFirst[1], MONTH_OF.get(yearFirst[2] ?? ''), yearFirst[3]);
  return null;
}

/** Returns a day of which all is known; null where no calendar has it. */
function known(year = '', month = 0, dayText = ''): WrittenDate | null {
  const day = Number(dayText);
  const date = new Date(0);
  const inFull = year.length === 2 ? centuryOf(Number(year)) + Number(year) : Number(year);
  date.setUTCFullYear(inFull, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? { year: inFull, month, day, proves: null, isEither: false } : null;
}

function centuryOf(year: number): number {
  return year <= LATEST_SHORT_YEAR ? 2000 : 1900;
}
