import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  type Column,
  type FixedColumn,
  type Cell,
  chosenText,
  completeText,
  type TableFormat,
} from './export-table.js';
import type { Export } from './export.service.js';
import { DAY_MS } from '../../platform/index.js';

/** Most rows, and characters of a cell, that a sheet holds (Excel specifications and limits). */
const ROWS_MAX = 1_048_576;

const CELL_MAX = 32_767;

/** Submissions that fit beside the header and a row that says there are more. */
const FITTING_MAX = ROWS_MAX - 2;

/**
 * Level of DEFLATE: an export takes two thirds of the processor time of the usual one, 6, for a file that is a
 * seventh larger.
 */
const COMPRESSION_LEVEL = 1;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Indexes of the styles in `xl/styles.xml`. */
const BOLD = 1;

const DATE = 2;

/** Excel counts days; 1970-01-01 has this number. */
const EPOCH_DAY = 25_569;

/** Length of a time in ISO 8601 without its zone. */
const LOCAL_CHARS = 23;

/** The column of times. */
const DATE_COLUMN: FixedColumn = 'created_at';

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** Printable ASCII that means nothing in XML, as most cells are. */
const PLAIN = /^(?!.*_x)[\x20-\x25\x27-;=?-~]*$/;

/** Letters of the columns that were written so far; a table has few. */
const COLUMN_NAMES: string[] = [];

const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Width of a letter in the unit of columns, with some room at its sides. */
const LETTER_WIDTH = 1.1;

const DATE_FORMAT = 'yyyy\\-mm\\-dd\\ hh:mm:ss';

/** All parts of a workbook with one sheet (ECMA-376), except the sheet and the styles. */
const PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Submissions" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
};

/** Returns the styles of a workbook whose times say their zone: a cell of a sheet knows no other place for it. */
function stylesFor(zone: string) {
  const format = `${DATE_FORMAT}&quot; ${zone}&quot;`;
  return `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="${format}"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;
}

/**
 * Writes an Excel workbook while it reads the submissions; libraries hold the whole sheet in memory. No cell
 * is a formula: numbers and booleans from JSON and the time keep their type, all else is text. What exceeds a
 * sheet's limits is cut, and the last row says so.
 * @param columns null: all
 * @param zone the one that the times of the source are written in
 */
export async function xlsx(source: Export, columns: readonly Column[] | null, zone: string): Promise<Readable> {
  const content = Readable.from(sheet(source, columns, zone), { objectMode: false });
  await once(content, 'readable'); // an error before the first byte still gets a status of its own
  const zip = new ZipFile();
  const parts = { ...PARTS, 'xl/styles.xml': stylesFor(zone) };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(PROLOG + text), name);
  const output = zip.outputStream as Readable;
  content.on('error', (error) => output.destroy(error));
  // Whoever reads it meets the error; until somebody does, it would end the process.
  output.on('error', () => undefined);
  output.on('close', () => content.destroy());
  zip.addReadStream(content, 'xl/worksheets/sheet1.xml', { compressionLevel: COMPRESSION_LEVEL });
  zip.end();
  return output;
}

async function* sheet(
  source: Export,
  columns: readonly Column[] | null,
  zone: string,
): AsyncGenerator<string | Buffer> {
  let read = 0;
  async function* fitting() {
    for await (const rows of source.rows()) {
      yield rows.slice(0, FITTING_MAX - read);
      read += rows.length;
      if (read > FITTING_MAX) return;
    }
  }
  const limited = { ...source, rows: fitting };
  const format = sheetFor(zone);
  const all = yield* columns ? chosenText(limited, columns, format) : completeText(limited, format);
  const last = 1 + Math.min(read, FITTING_MAX);
  if (read > FITTING_MAX) {
    const text = 'There are more submissions than a sheet holds; export CSV for all of them.';
    yield `<row r="${last + 1}">${textCell(text, 0, last + 1)}</row>`;
  }
  yield `</sheetData><autoFilter ref="A1:${columnName(all - 1)}${last}"/></worksheet>`;
}

/** Rows of a sheet are numbered from 1, and the first is the header. */
const FIRST_ROW = 2;

const SHEET: Omit<TableFormat, 'header'> = {
  name: (text) => escape(text),
  row: (cells, at) => {
    const number = at + FIRST_ROW;
    return `<row r="${number}">${cells.map((cell, index) => write(cell, index, number)).join('')}`;
  },
  end: (at, cells, all) => {
    const number = at + FIRST_ROW;
    const empty = Array.from({ length: all - cells }, (_, n) => textCell('', cells + n, number));
    return `${empty.join('')}</row>`;
  },
};

/** Returns how a sheet is written whose column of times has room for them. */
function sheetFor(zone: string): TableFormat {
  return {
    ...SHEET,
    header: (names) => {
      const header = names.map((text, index) => textCell(text, index, 1, BOLD));
      const cols = widthOf(names.indexOf(DATE_COLUMN) + 1, zone);
      return `${PROLOG}<worksheet xmlns="${MAIN}">${FROZEN}${cols}<sheetData><row r="1">${header.join('')}</row>`;
    },
  };
}

/** Returns the width of a column, from 1, that holds times; a narrower one would show signs in their place. */
function widthOf(column: number, zone: string) {
  if (column === 0) return '';
  const width = Math.ceil(`2030-01-31 12:00:00 ${zone}`.length * LETTER_WIDTH);
  return `<cols><col min="${column}" max="${column}" width="${width}" customWidth="1"/></cols>`;
}

/** Writes one cell with its position, which some readers need. */
function write({ text, type }: Cell, column: number, rowNumber: number) {
  const at = `r="${columnName(column)}${rowNumber}"`;
  if (type === 'number') return `<c ${at}><v>${text}</v></c>`;
  if (type === 'boolean') return `<c ${at} t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
  if (type === 'date') {
    return `<c ${at} s="${DATE}"><v>${dayNumberOf(text)}</v></c>`;
  }
  return textCell(text, column, rowNumber);
}

/** Returns the number of a day and its part for a time in ISO 8601, as the clocks of its zone show it. */
function dayNumberOf(time: string) {
  return Date.parse(`${time.slice(0, LOCAL_CHARS)}Z`) / DAY_MS + EPOCH_DAY;
}

function textCell(text: string, column: number, rowNumber: number, style = 0) {
  const at = `r="${columnName(column)}${rowNumber}"${style === 0 ? '' : ` s="${style}"`}`;
  if (text === '') return `<c ${at}/>`;
  return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`;
}

/** Returns the letters of a column: A to Z, AA, AB and so on. */
function columnName(index: number) {
  return (COLUMN_NAMES[index] ??= lettersOf(index));
}

function lettersOf(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return (rest < 0 ? '' : lettersOf(rest)) + String.fromCharCode(65 + (index % 26));
}

/**
 * Escapes text for XML. Lines end with a line feed alone, as in cells: spreadsheets would show the escape of a return. Other
 * control characters cannot be written in XML 1.0 and are left out. What looks like an escape of a workbook stays what it is.
 */
function escape(text: string) {
  if (text.length <= CELL_MAX && PLAIN.test(text)) return text;
  return text
    .replaceAll(/\r\n?/g, '\n')
    .slice(0, CELL_MAX)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]|\p{Cs}/gu, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
