import { createReadStream, type ReadStream } from 'node:fs';
import type { Provider } from '../formats/provider.js';
import { ImportFileGone, ImportUnreadable } from '../model/import.errors.js';
import type { CsvHeader } from './csv-head.js';
import { csvRows } from './csv-rows.js';
import { decoded } from './decode.js';
import { refuseMarkup } from './file-kind.js';
import { jsonRows, ndjsonRows } from './json-rows.js';
import type { RawRow, RowLimits } from './raw-rows.js';

/** The file of an import. */
export interface ImportFile {
  path: string;
  /** Name in the Encoding Standard. */
  encoding: string;
}

/** Reads the rows of a file once, as they are in it. */
export class FileRows {
  /** The names of the columns of a CSV, once its first rows were read; null for other files. */
  header: CsvHeader | null = null;
  private stream: ReadStream | null = null;

  constructor(
    private readonly file: ImportFile,
    private readonly kinds: Provider['kinds'],
    private readonly limits: RowLimits,
  ) {}

  /** Returns how much of the file was read, in bytes; some of that may wait. */
  get bytesRead(): number {
    return this.stream?.bytesRead ?? 0;
  }

  /** @throws ImportUnreadable, ImportTruncated, ImportWebPage, ImportWorkbook, ImportFileGone */
  async *read(): AsyncGenerator<RawRow> {
    this.stream = createReadStream(this.file.path);
    try {
      yield* await this.rowsOf(decoded(this.stream, this.file.encoding));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ImportFileGone() : error;
    } finally {
      this.stream.destroy();
    }
  }

  /** Tells JSON from CSV by its first character. */
  private async rowsOf(text: AsyncGenerator<string>): Promise<AsyncGenerator<RawRow>> {
    let begin = '';
    while (begin.trim() === '') {
      const next: IteratorResult<string, unknown> = await text.next();
      if (next.done === true) throw new ImportUnreadable('The file is empty.');
      begin = next.value;
    }
    refuseMarkup(begin);
    const whole = withBegin(begin, text);
    if (this.kinds.includes('ndjson')) return ndjsonRows(whole, this.limits);
    if (this.kinds.includes('json') && /^\s*[[{]/.test(begin)) return jsonRows(whole, this.limits);
    return csvRows(whole, this.limits, (header) => {
      this.header = header;
    });
  }
}

/** Returns the beginning of a text and what follows it. */
async function* withBegin(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  yield* rest;
}
