import { createReadStream, type ReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Config, DomainError } from '../../../platform/index.js';
import { planOf, type ColumnPlan } from '../columns/column-plan.js';
import { PROVIDERS, isOwnHeader, ownCsv, type Provider, Records } from '../formats/index.js';
import { type ImportOptions, ImportFileGone, ImportUnreadable } from '../model/import-options.js';
import { DayOrders, orderIn, UTC, zoneOfColumn } from '../times/moments.js';
import { csvRows, type CsvHeader } from './csv-scanner.js';
import { decoded, refuseMarkup } from './file-kind.js';
import { RowReader, type ReadFor, type ReadRow } from './file-rows.js';
import {
  beginningOf,
  jsonRows,
  ndjsonRows,
  rowLimits,
  withBegin,
  type RawRow,
  type RowLimits,
  type Text,
} from './json-rows.js';

/** The file of an import. */
interface ImportFile {
  path: string;
  /** Name in the Encoding Standard. */
  encoding: string;
}

/** Reads the rows of a file once, as they are in it. */
class FileRows {
  /** The names of the columns of a CSV, once its first rows were read; null for other files. */
  header: CsvHeader | null = null;
  private stream: ReadStream | null = null;

  constructor(
    private readonly file: ImportFile,
    private readonly kinds: Provider['kinds'],
    private readonly limits: RowLimits,
  ) {}

  /** Returns how much of the file was read, in bytes; some of that may wait. */
  get bytesRead() {
    return this.stream?.bytesRead ?? 0;
  }

  /** @throws ImportUnreadable, ImportTruncated, ImportWebPage, ImportWorkbook, ImportFileGone */
  async *read(): AsyncGenerator<RawRow, undefined> {
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
  private async rowsOf(text: Text) {
    const begin = await beginningOf(text, 1);
    if (begin.trim() === '') throw new ImportUnreadable('The file is empty.');
    refuseMarkup(begin);
    const whole = withBegin(begin, text);
    if (this.kinds.includes('ndjson')) return ndjsonRows(whole, this.limits);
    if (this.kinds.includes('json') && /^\s*[[{]/.test(begin)) return jsonRows(whole, this.limits);
    return csvRows(whole, this.limits, (header) => {
      this.header = header;
    });
  }
}

/** Characters of values after which no further row is taken with them: an INSERT is one packet. */
const CHARS_AT_ONCE = 1024 * 1024;
/** Rows that are passed over in one. */
const SKIPPED_AT_ONCE = 1_000;
/** Rows of a CSV whose values tell what its columns are, and their length after which no more are looked at. */
const SAMPLED_ROWS = 50;
const SAMPLED_CHARS = 256 * 1024;
/** Rows that are asked for their time while others wait. */
const ROWS_IN_A_TURN = 200;

/** The next rows of a file. */
export interface NextRows {
  rows: ReadRow[];
  /** Bytes of the file that were read so far; some of that may wait. */
  readBytes: number;
  isEnd: boolean;
}

/** Reads the rows of a file once, in its order. */
export class ImportReader {
  /** The use of the columns of a CSV, once its first rows were read; null for other files. */
  plan: ColumnPlan | null = null;
  readonly days: DayOrders;
  private readonly source: FileRows;
  private readonly rows = this.allRows();
  private failure: Error | null = null;
  /** Whether all rows were asked for the order of days. */
  private isOrderKnown: boolean;

  constructor(
    private readonly file: ImportFile,
    readonly options: ImportOptions,
    private readonly about: ReadFor,
    private readonly limits: Config['intake'],
  ) {
    this.source = this.open();
    this.days = new DayOrders(options.dates);
    this.isOrderKnown = options.dates !== null;
  }

  /** Returns the encoding that the file is read in. */
  get encoding() {
    return this.options.encoding ?? this.file.encoding;
  }

  /** Returns the names of the columns of a CSV, and what stands above them; null for other files. */
  get header(): CsvHeader | null {
    return this.source.header;
  }

  /**
   * Reads the next rows, fewer where they are long. An error comes once the rows before it were taken.
   * @throws ImportUnreadable, ImportTruncated, ImportWebPage, ImportWorkbook, ImportFileGone
   */
  async take(count: number): Promise<NextRows> {
    const rows: ReadRow[] = [];
    let taken = 0;
    try {
      if (this.failure) throw this.failure;
      while (rows.length < count && taken < CHARS_AT_ONCE) {
        const { value: row } = await this.rows.next();
        if (!row) return { rows, readBytes: this.source.bytesRead, isEnd: true };
        rows.push(row);
        taken += charsOf(row);
      }
    } catch (error) {
      if (rows.length === 0) throw error;
      this.failure = error as Error;
    }
    return { rows, readBytes: this.source.bytesRead, isEnd: false };
  }

  /** Passes over rows that were stored before. */
  async skip(count: number) {
    for (let left = count; left > 0;) {
      const { rows, isEnd } = await this.take(Math.min(left, SKIPPED_AT_ONCE));
      if (isEnd) return;
      left -= rows.length;
    }
  }

  /** Lets go of the file. */
  async close() {
    await this.rows.return(undefined);
  }

  private async *allRows(): AsyncGenerator<ReadRow, undefined> {
    const source = this.source.read();
    try {
      const { first, failure } = await this.sample(source);
      const provider = this.providerOf();
      const records = this.recordsOf(provider, first);
      const { options, days, plan, header } = this;
      const zone = plan?.time == null ? UTC : zoneOfColumn(plan.time);
      const reading = { provider, options, isCsv: header !== null, days, zone };
      const reader = new RowReader(reading, this.about, this.limits);
      for (const row of first) yield await this.read(row, records, reader);
      if (failure) throw failure;
      for await (const row of source) yield await this.read(row, records, reader);
    } finally {
      await source.return(undefined);
    }
  }

  /** Reads the first rows of a CSV, and one of any other file. */
  private async sample(source: AsyncGenerator<RawRow, undefined>) {
    const first: RawRow[] = [];
    let chars = 0;
    try {
      while (first.length < SAMPLED_ROWS && chars < SAMPLED_CHARS) {
        const { value: row } = await source.next();
        if (!row) break;
        first.push(row);
        if (!this.header) break;
        for (const { json } of row.members ?? []) chars += json.length;
      }
    } catch (error) {
      if (first.length === 0) throw error;
      return { first, failure: error as Error };
    }
    return { first, failure: null };
  }

  private providerOf() {
    const { provider } = this.options;
    const isOwn = provider === 'csv' && this.header && isOwnHeader(this.header.columns);
    return isOwn ? ownCsv : PROVIDERS[provider];
  }

  /** Finds out what the columns are. @throws ImportUnreadable */
  private recordsOf(provider: Provider, first: readonly RawRow[]) {
    const { header, options, limits } = this;
    if (!header) {
      const times = options.time === null ? provider.time : [options.time];
      return new Records(provider, false, { times, columns: new Map(options.columns) });
    }
    const about = { provider, options, nameBytes: limits.maxFieldNameBytes };
    this.plan = planOf(sampled(header.columns, first), about);
    const { length } = this.plan.columns.filter(({ use }) => use === 'field');
    if (length <= limits.maxFields) return new Records(provider, true, this.plan.mapping);
    throw new ImportUnreadable(
      `The file has ${length} columns with fields. A submission can have up to ${limits.maxFields}: leave some columns out.`,
    );
  }

  private async read(row: RawRow, records: Records, reader: RowReader): Promise<ReadRow> {
    if (!row.members) return row;
    const record = records.of(row.members);
    if (!this.isOrderKnown && record.time !== null && orderIn(record.time) === 'either') {
      await this.findOrder(records);
    }
    return reader.read(row.line, row.members, record);
  }

  /** Asks all times of the file for the order of day and month: the last one may prove it. */
  private async findOrder(records: Records) {
    this.isOrderKnown = true;
    try {
      let rows = 0;
      for await (const { members } of this.open().read()) {
        if (++rows % ROWS_IN_A_TURN === 0) await nextTurn();
        const time = members ? records.timeOf(members) : null;
        if (time !== null) this.days.see(time);
        if (this.days.areBoth) return;
      }
    } catch (error) {
      // It comes again where the rows before it have been read.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  private open() {
    const { path } = this.file;
    const { kinds } = PROVIDERS[this.options.provider];
    return new FileRows({ path, encoding: this.encoding }, kinds, rowLimits(this.limits));
  }
}

/** Returns columns with the values that they have in some rows. */
function sampled(columns: readonly string[], rows: readonly RawRow[]) {
  const samples = new Map(columns.map((name) => [name, [] as string[]]));
  for (const { members } of rows) {
    for (const { name, text = '' } of members ?? []) {
      const value = text.trim();
      if (value !== '') samples.get(name)?.push(value);
    }
  }
  return columns.map((name) => ({ name, samples: samples.get(name) ?? [] }));
}

/** Returns the length of the values of a row, in characters. */
function charsOf({ submission }: ReadRow) {
  if (!submission) return 0;
  return submission.values.members.reduce((sum, { name, json }) => sum + name.length + json.length, 0);
}
