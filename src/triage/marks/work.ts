/** Up to how many submissions of a form are counted, of each kind. */
export const WORK_MAX = 1_000;

/** Counts what people did with the submissions that a form received in a time: each up to WORK_MAX. */
export interface Work {
  answered: number;
  starred: number;
  done: number;
}

/** Stands for a form with whose submissions nobody did anything. */
export const NO_WORK: Readonly<Work> = { answered: 0, starred: 0, done: 0 };

/** Adds up work on several forms. */
export function workOn(all: readonly Work[]): Work {
  const sum = (kind: keyof Work) => all.reduce((so, work) => so + work[kind], 0);
  return { answered: sum('answered'), starred: sum('starred'), done: sum('done') };
}

/** Writes how many were counted, such as `12`, or `1,000+` where there may be more. @param all of the forms they are of */
export function workText(kind: keyof Work, all: readonly Work[]) {
  const isMore = all.some((work) => work[kind] >= WORK_MAX);
  return `${workOn(all)[kind].toLocaleString('en')}${isMore ? '+' : ''}`;
}
