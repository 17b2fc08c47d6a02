import type { JsonMember } from '../../platform/kernel/text/json-text.js';

/** Longest row of a file, in characters: a submission with its quotes and escapes is shorter. */
export const ROW_MAX_CHARS = 16 * 1024 * 1024;

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
