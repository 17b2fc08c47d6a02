import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

const PAGE = new URL('../../docs/destinations.md', import.meta.url);
const OWN_SECRET = 'write your own here';

/** A sheet as Google's, as far as our script uses it. It begins with so many rows and columns. */
export class Sheet {
  /** Contents of its cells, by row. */
  readonly cells: unknown[][] = [];

  constructor(
    private rows = 3,
    private columns = 6,
  ) {}

  getLastRow = () => this.cells.length;
  getLastColumn = () => Math.max(0, ...this.cells.map(({ length }) => length));
  getMaxRows = () => this.rows;
  getMaxColumns = () => this.columns;
  insertRowsAfter = (_: number, count: number) => (this.rows += count);
  insertColumnsAfter = (_: number, count: number) => (this.columns += count);

  getRange(row: number | 'A:A', column = 1, height = 1, width = 1) {
    if (row === 'A:A') return { createTextFinder: (text: string) => this.finder(text) };
    if (row + height - 1 > this.rows || column + width - 1 > this.columns) {
      throw new Error('The coordinates of the range are outside the dimensions of the sheet.');
    }
    return {
      getValues: () => [Array.from({ length: width }, (_, at) => this.cells[row - 1]?.[at] ?? '')],
      setValues: ([values = []]: unknown[][]) => {
        if (values.length !== width) throw new Error('The number of columns does not match.');
        this.cells[row - 1] = values.map(entered);
      },
    };
  }

  private finder(text: string) {
    const findNext = () => this.cells.find(([first]) => first === text) ?? null;
    return { matchEntireCell: () => ({ findNext }) };
  }
}

/** Texts that a sheet turns into numbers: amounts, shares, dates and times. */
const NUMBERS = /^[^\p{L}\d]*\d[\d.,\s]*%?$|^\d{1,4}([-/.])\d{1,2}(\1\d{1,4})?$|^\d{1,2}:\d\d/u;

/** Reads a value as a sheet does that a person types into. */
function entered(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.length > 50_000) throw new Error('Your input contains more than 50000 characters.');
  if (value.includes('\r')) throw new Error('A cell has line feeds alone.');
  if (value.startsWith("'")) return value.slice(1);
  if (/^[=+-]/.test(value)) return `formula ${value}`;
  if (/^(true|false)$/i.test(value)) return /t/i.test(value);
  if (value === '' || !Number.isNaN(Number(value))) return value === '' ? value : Number(value);
  return NUMBERS.test(value) ? parseFloat(value.replace(/[^\d.]/g, '')) : value;
}

/**
 * Returns the script for Google Sheets of docs/destinations.md, as a function from a body to an answer.
 * @param tryLock whether it gets the lock
 */
export function documentedScript(sheet: Sheet, secret: string, tryLock = () => true) {
  const [, source = ''] = /```js\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  if (!source.includes(OWN_SECRET)) throw new Error('The page has no script.');
  const globals = createContext({
    LockService: { getScriptLock: () => ({ tryLock, releaseLock: () => undefined }) },
    SpreadsheetApp: { getActiveSpreadsheet: () => ({ getSheets: () => [sheet] }), flush: () => undefined },
    ContentService: { MimeType: { JSON: 'JSON' }, createTextOutput: (text: string) => ({ setMimeType: () => text }) },
  });
  runInContext(source.replace(OWN_SECRET, secret), globals);
  const doPost = globals.doPost as (event: { postData: { contents: string } }) => string;
  return (contents: string) => doPost({ postData: { contents } });
}
