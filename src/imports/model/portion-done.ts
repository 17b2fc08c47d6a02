/** Broken rows and missing files that are kept with their reasons; the others are counted. */
export const KEPT_MAX = 100;

/** Something that is wrong with the row that begins at a line. */
export interface RowProblem {
  line: number;
  reason: string;
}

/** Result of one portion of an import. */
export interface PortionDone {
  rows: number;
  /** Line where the last of them begins. */
  lastLine: number;
  /** Bytes of the file that were read so far. */
  readBytes: number;
  imported: number;
  skipped: number;
  broken: readonly RowProblem[];
  /** Files that could not be fetched. */
  missing: readonly RowProblem[];
}
