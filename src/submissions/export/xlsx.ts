import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { COLUMNS_MAX, Table } from './table.js';
import type { Export } from './export.service.js';

/** Rows and characters of a cell that a sheet holds (Excel specifications and limits). */
const ROWS_MAX = 1_048_576;
const CELL_MAX = 32_767;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Everything of a workbook with one sheet (ECMA-376) but the sheet. */
const PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Submissions" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/**
 * An Excel workbook, written as it is read: the libraries at hand hold the whole sheet in memory. Every
 * cell is text, which no spreadsheet runs. What a sheet cannot hold is cut, and the last row says so.
 */
export async function xlsx(source: Export): Promise<Readable> {
  const content = Readable.from(sheet(source));
  await once(content, 'readable'); // what fails before that is told by a status
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(PROLOG + text), name);
  const output = zip.outputStream as Readable;
  content.on('error', (error) => output.destroy(error));
  output.on('close', () => content.destroy());
  zip.addReadStream(content, 'xl/worksheets/sheet1.xml');
  zip.end();
  return output;
}

async function* sheet(source: Export): AsyncGenerator<string> {
  const table = new Table(await source.fieldNames(COLUMNS_MAX + 1));
  yield `${PROLOG}<worksheet xmlns="${MAIN}"><sheetData>${row(table.header)}`;
  let left = ROWS_MAX - 2;
  for await (const rows of source.rows()) {
    yield table.rows(rows).slice(0, Math.max(left, 0)).map(row).join('');
    left -= rows.length;
    if (left < 0) {
      yield row(['There are more submissions than a sheet holds; export CSV for all of them.']);
      break;
    }
  }
  yield '</sheetData></worksheet>';
}

function row(cells: string[]): string {
  const written = cells.map((text) =>
    text === ''
      ? '<c/>'
      : `<c t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`,
  );
  return `<row>${written.join('')}</row>`;
}

/** XML 1.0 has no way to write most control characters: they are left out. */
function escape(text: string): string {
  return text
    .slice(0, CELL_MAX)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]|\p{Cs}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
