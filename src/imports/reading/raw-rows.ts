import type { Config } from '../../platform/config/config.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';

/** Most that is read of a row, whatever comes of it. */
export interface RowLimits {
  chars: number;
  /** Levels and values of JSON. */
  depth: number;
  values: number;
}

/** Characters, levels and values of a row besides those of its submission: escapes, other columns, objects around it. */
const ESCAPES = 2;
const OTHER_CHARS = 64 * 1024;
const OTHER_LEVELS = 4;
/** Most values of JSON in a row: a megabyte has more of them only where they are empty. */
const VALUES_MAX = 50_000;

/** Returns how long, deep and wide a row may be whose submission is within its limits. */
export function rowLimits({ maxBodyBytes, maxJsonDepth }: Config['intake']): RowLimits {
  return {
    chars: ESCAPES * maxBodyBytes + OTHER_CHARS,
    depth: maxJsonDepth + OTHER_LEVELS,
    values: VALUES_MAX,
  };
}

/** A row of a file, with the line where it begins. */
export interface RawRow {
  line: number;
  /** Null for a row that cannot be read. */
  members: JsonMember[] | null;
  /** Null when it can be read. */
  problem: string | null;
}

/** Returns a row that cannot be read. */
export function unreadable(line: number, problem: string): RawRow {
  return { line, members: null, problem };
}
