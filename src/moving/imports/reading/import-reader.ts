import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../../../platform/config/config.js';
import { DomainError } from '../../../platform/kernel/errors.js';
import { plainPlan, planOf, type ColumnPlan, type PlannedFor } from '../columns/column-plan.js';
import { PROVIDERS, isOwnHeader, ownCsv, type Provider } from '../formats/index.js';
import { recordOf, timeOf, type Mapping } from '../formats/record.js';
import { isGuessed, type ImportOptions, ImportUnreadable } from '../model/import-options.js';
import { DayOrders, orderIn, UTC, zoneOfColumn } from '../times/moments.js';
import type { CsvHeader } from './csv-scanner.js';
import { FileRows, type ImportFile, RowReader, type ReadFor, type ReadRow } from './file-rows.js';
import { rowLimits, type RawRow } from './json-rows.js';

/** Characters of values after which no further row is taken with them: an INSERT is one packet. */
const CHARS_AT_ONCE = 1024 * 1024;
/** Rows that are passed over in one. */
const SKIPPED_AT_ONCE = 1_000;
/** Rows of a CSV whose values tell what its columns are, and their length after which no more are looked at. */
const SAMPLED_ROWS = 50;
const SAMPLED_CHARS = 256 * 1024;
/** Rows that are asked for their time while others wait. */
const ROWS_IN_A_TURN = 200;

/** Reads the rows of a file once, in its order. */
export class ImportReader {
  /** The use of the columns of a CSV, once its first rows were read; null for other files. */
  plan: ColumnPlan | null = null;
  readonly days: DayOrders;
  private readonly file: ImportFile;
  private provider: Provider;
  private readonly source: FileRows;
  private readonly rows = this.allRows();
  private failure: Error | null = null;
  /** Whether all rows were asked for the order of days. */
  private isOrderKnown: boolean;

  constructor(
    file: ImportFile,
    readonly options: ImportOptions,
    private readonly about: ReadFor,
    private readonly limits: Config['intake'],
  ) {
    this.file = { ...file, encoding: options.encoding ?? file.encoding };
    this.provider = PROVIDERS[options.provider];
    this.source = this.open();
    this.days = new DayOrders(options.dates);
    this.isOrderKnown = options.dates !== null;
  }

  /** Returns how much of the file was read, in bytes; some of that may wait. */
  get bytesRead(): number {
    return this.source.bytesRead;
  }

  /** Returns the encoding that the file is read in. */
  get encoding(): string {
    return this.file.encoding;
  }

  get isEncodingGuessed(): boolean {
    return isGuessed(this.file.encoding, this.options.encoding);
  }

  /** Returns the names of the columns of a CSV, and what stands above them; null for other files. */
  get header(): CsvHeader | null {
    return this.source.header;
  }

  /**
   * Reads the next rows, fewer where they are long. An error comes once the rows before it were taken.
   * @throws ImportUnreadable, ImportTruncated, ImportWebPage, ImportWorkbook, ImportFileGone
   */
  async take(count: number): Promise<{ rows: ReadRow[]; isEnd: boolean }> {
    const rows: ReadRow[] = [];
    let taken = 0;
    try {
      if (this.failure) throw this.failure;
      while (rows.length < count && taken < CHARS_AT_ONCE) {
        const next: IteratorResult<ReadRow, unknown> = await this.rows.next();
        if (next.done === true) return { rows, isEnd: true };
        rows.push(next.value);
        taken += charsOf(next.value);
      }
    } catch (error) {
      if (rows.length === 0) throw error;
      this.failure = error as Error;
    }
    return { rows, isEnd: false };
  }

  /** Passes over rows that were stored before. */
  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      const { rows, isEnd } = await this.take(Math.min(left, SKIPPED_AT_ONCE));
      if (isEnd) return;
      left -= rows.length;
    }
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    await this.rows.return(undefined);
  }

  private async *allRows(): AsyncGenerator<ReadRow> {
    const source = this.source.read();
    try {
      const { first, failure } = await this.sample(source);
      const mapping = this.mappingOf(first);
      const reader = this.readerOf();
      for (const row of first) yield await this.read(row, mapping, reader);
      if (failure) throw failure;
      for await (const row of source) yield await this.read(row, mapping, reader);
    } finally {
      await source.return(undefined);
    }
  }

  /** Reads the first rows of a CSV, and one of any other file. */
  private async sample(source: AsyncGenerator<RawRow>) {
    const first: RawRow[] = [];
    let chars = 0;
    try {
      while (first.length < SAMPLED_ROWS && chars < SAMPLED_CHARS) {
        const next: IteratorResult<RawRow, unknown> = await source.next();
        if (next.done === true) break;
        first.push(next.value);
        if (!this.header) break;
        for (const { json } of next.value.members ?? []) chars += json.length;
      }
    } catch (error) {
      if (first.length === 0) throw error;
      return { first, failure: error as Error };
    }
    return { first, failure: null };
  }

  /** Finds out what the columns are. @throws ImportUnreadable */
  private mappingOf(first: readonly RawRow[]): Mapping {
    const { header, options, limits } = this;
    const { time } = options;
    if (!header) {
      const times = time === null ? this.provider.time : [time];
      return { times, columns: new Map(options.columns) };
    }
    const isOwn = this.provider === PROVIDERS.csv && isOwnHeader(header.columns);
    if (isOwn) this.provider = ownCsv;
    const columns = sampled(header.columns, first);
    const about: PlannedFor = {
      provider: this.provider,
      options,
      nameBytes: limits.maxFieldNameBytes,
    };
    this.plan = isOwn ? plainPlan(columns, about) : planOf(columns, about);
    const { length } = this.plan.columns.filter(({ use }) => use === 'field');
    if (length <= limits.maxFields) return this.plan.mapping;
    throw new ImportUnreadable(
      `The file has ${length} columns with fields. A submission can have up to ${limits.maxFields}: leave some columns out.`,
    );
  }

  private readerOf(): RowReader {
    const { provider, options, days, plan } = this;
    const zone = plan?.time == null ? UTC : zoneOfColumn(plan.time);
    const reading = { provider, options, isCsv: this.header !== null, days, zone };
    return new RowReader(reading, this.about, this.limits);
  }

  private async read(row: RawRow, mapping: Mapping, reader: RowReader): Promise<ReadRow> {
    const { line, members, problem } = row;
    if (!members) return { line, submission: null, problem: problem ?? '' };
    const record = recordOf(this.provider, members, this.header !== null, mapping);
    if (!this.isOrderKnown && record.time !== null && orderIn(record.time) === 'either') {
      await this.findOrder(mapping);
    }
    return reader.read(line, members, record);
  }

  /** Asks all times of the file for the order of day and month: the last one may prove it. */
  private async findOrder(mapping: Mapping): Promise<void> {
    this.isOrderKnown = true;
    try {
      let rows = 0;
      for await (const { members } of this.open().read()) {
        if (++rows % ROWS_IN_A_TURN === 0) await nextTurn();
        const isCsv = this.header !== null;
        const time = members && timeOf(this.provider, members, isCsv, mapping);
        if (time !== null) this.days.see(time);
        if (this.days.areBoth) return;
      }
    } catch (error) {
      // It comes again where the rows before it have been read.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  private open(): FileRows {
    const { kinds } = PROVIDERS[this.options.provider];
    return new FileRows(this.file, kinds, rowLimits(this.limits));
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
function charsOf({ submission }: ReadRow): number {
  if (!submission) return 0;
  return submission.values.members.reduce(
    (sum, { name, json }) => sum + name.length + json.length,
    0,
  );
}
