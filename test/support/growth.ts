import { shapeOf, type Read } from './reads.js';

/** Submissions of a form: with the first number every page and every count is as long as it may be. */
export const FEW = 5_000;
/** Six times that. What reads all of something then reads six times as much, whatever the constant is. */
export const MANY = 30_000;
/** Most that the statements of one kind may read for a request with MANY, in multiples of FEW. */
const GROWTH = 2;
/** Besides, in the units of `Read`: trees are one page deeper, and not every row is the same. */
const SLACK = process.env.TEST_DATABASE_URL ? 300 : 40;

/** A request that may read more where there is more, up to a bound, with the reason. */
export interface Exception {
  request: RegExp;
  sql: RegExp;
  /** On servers. */
  rows: number;
  /** On the embedded database. */
  pages: number;
  because: string;
}

/** Rows read by each kind of statement of each request. */
export type Walked = Map<string, Map<string, number>>;

/** Sums up what statements read, by their kind. */
export function sumsOf(reads: readonly Read[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { sql, units } of reads) {
    const shape = shapeOf(sql);
    sums.set(shape, (sums.get(shape) ?? 0) + units);
  }
  return sums;
}

/** Names what reads more with MANY than with FEW, and is no exception. */
export function grownIn(few: Walked, many: Walked, exceptions: readonly Exception[]): string[] {
  return [...many].flatMap(([request, sums]) =>
    [...sums].flatMap(([sql, units]) => {
      const before = few.get(request)?.get(sql) ?? 0;
      const exception = exceptions.find((each) => each.request.test(request) && each.sql.test(sql));
      const bound = exception?.[process.env.TEST_DATABASE_URL ? 'rows' : 'pages'] ?? 0;
      const most = Math.max(before * GROWTH + SLACK, bound);
      return units > most ? [`${request}: ${before}, then ${units}: ${sql.slice(0, 300)}`] : [];
    }),
  );
}
