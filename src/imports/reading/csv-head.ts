import { COLUMNS_MAX, type CsvRow } from './csv-scanner.js';
import { ImportUnreadable } from '../model/import.errors.js';
import { looksLikeTime } from '../times/moments.js';

/** Signs that separate cells, the most likely first. */
const SEPARATORS = [',', ';', '\t', '|'];
/** Characters of the file in which its first line has to end. */
const HEADER_MAX_CHARS = 1024 * 1024;
/** Characters of it, and lines, in which its separator is looked for. */
const SEPARATED_CHARS = 64 * 1024;
const SEPARATED_LINES = 20;
/** Most lines above the names of columns that have one cell alone. */
const TITLES_MAX = 10;
/** The first line of a file that tells Excel its separator. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\r(?!$)|\n)/i;

/** The begin of a CSV, with its separator. */
interface CsvHead {
  separator: string;
  /** Text that was read to find it, without a line that names it. */
  read: string;
  /** Line where that text begins. */
  line: number;
}

/** The names of columns, and what stands above them. */
export interface CsvHeader {
  columns: string[];
  separator: string;
  /** Line of the names. */
  line: number;
  /** Cells that stand alone above it. */
  titles: string[];
}

/** Reads as much of a file as it takes to find its separator. */
export async function headOf(text: AsyncGenerator<string>): Promise<CsvHead> {
  let read = '';
  while (!isEnough(read)) {
    const next: IteratorResult<string, unknown> = await text.next();
    if (next.done === true) break;
    read += next.value;
  }
  const [named, sign] = SEPARATOR_LINE.exec(read) ?? [];
  if (named !== undefined)
    return { separator: sign ?? ',', read: read.slice(named.length), line: 2 };
  return { separator: separatorIn(read), read, line: 1 };
}

/** Tells whether a separator is found, once the first line has ended; titles above it may have none. */
function isEnough(read: string): boolean {
  if (read.length >= HEADER_MAX_CHARS) return true;
  const end = read.search(/[\r\n]/);
  // Of two signs that end a line, the second may be still to come.
  if (end < 0 || end + 1 === read.length) return false;
  return read.length >= SEPARATED_CHARS || linesOf(read).slice(0, -1).some(isSeparated);
}

/** Returns the separator of the first line that has one. */
function separatorIn(read: string): string {
  const line = linesOf(read).find(isSeparated) ?? '';
  const counts = SEPARATORS.map((sign) => line.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the first lines without what is quoted. */
function linesOf(read: string): string[] {
  const outside = read
    .slice(0, SEPARATED_CHARS)
    .split('"')
    .filter((_, at) => at % 2 === 0);
  return outside.join('').split(/[\r\n]+/, SEPARATED_LINES);
}

function isSeparated(line: string): boolean {
  return SEPARATORS.some((sign) => line.includes(sign));
}

/** Finds the names of columns among the first rows: those of one cell above them are titles. */
export class HeaderFinder {
  private readonly lonely: CsvRow[] = [];

  constructor(private readonly separator: string) {}

  /**
   * Takes the next row.
   * @returns null while the names are still to come; else they, and the rows that came meanwhile
   * @throws ImportUnreadable
   */
  take(row: CsvRow): { header: CsvHeader; rows: CsvRow[] } | null {
    if (filledOf(row).length === 1 && this.lonely.length < TITLES_MAX) {
      this.lonely.push(row);
      return null;
    }
    if (this.lonely.length > 0 && !saysNames(row)) return this.settle([row]);
    const titles = this.lonely.flatMap(filledOf);
    return { header: this.headerOf(row, titles), rows: [] };
  }

  /** Returns the first row as the names, where no other was; null without any row. @throws ImportUnreadable */
  settle(rows: CsvRow[] = []): { header: CsvHeader; rows: CsvRow[] } | null {
    const [first, ...others] = this.lonely;
    return first ? { header: this.headerOf(first, []), rows: [...others, ...rows] } : null;
  }

  private headerOf({ cells, line }: CsvRow, titles: string[]): CsvHeader {
    if (cells.length > COLUMNS_MAX) {
      throw new ImportUnreadable(
        `The file has ${cells.length} columns. We read files of up to ${COLUMNS_MAX}.`,
      );
    }
    return { columns: cells, separator: this.separator, line, titles };
  }
}

function filledOf({ cells }: CsvRow): string[] {
  return cells.filter((cell) => cell.trim() !== '');
}

/** Tells names of columns from values: no two are alike, and none is a number, a time or an address. */
function saysNames(row: CsvRow): boolean {
  const filled = filledOf(row).map((cell) => cell.trim());
  const isValue = (cell: string) =>
    /^[\d.,+-]+$/.test(cell) || cell.includes('@') || looksLikeTime(cell);
  return filled.length > 1 && new Set(filled).size === filled.length && !filled.some(isValue);
}
