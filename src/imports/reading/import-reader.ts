import { createReadStream, type ReadStream } from 'node:fs';
import type { IntakeSettings } from '../../platform/config/intake-settings.js';
import { undefused } from '../../platform/kernel/text/csv-line.js';
import { textMember, type JsonMember } from '../../platform/kernel/text/json-text.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { parseOrigin } from '../../submissions/model/page-address.js';
import type { SubmissionSource } from '../../submissions/model/submission.entity.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { ImportedSubmission } from '../../submissions/storage/imported-submissions.service.js';
import { PROVIDERS } from '../formats/index.js';
import { isOwnHeader, ownCsv } from '../formats/own-csv.js';
import type { Provider } from '../formats/provider.js';
import { recordOf, type ExportedRecord, type Mapping } from '../formats/record.js';
import type { Encoding } from '../model/encoding.js';
import { ImportFileGone, ImportUnreadable } from '../model/import.errors.js';
import type { ImportOptions } from '../model/import-options.js';
import { csvRows } from './csv-rows.js';
import { decoded } from './decode.js';
import { jsonRows, ndjsonRows } from './json-rows.js';
import { readMoment, type Moment } from './moments.js';
import { problemOfFields } from '../../submissions/model/field-limits.js';
import { rowLimits, type RawRow } from './raw-rows.js';
import { partOf, RowIds } from './row-ids.js';

const ORIGIN_MAX = 255;
const REFERER_MAX = 2048;
const USER_AGENT_MAX = 512;
/** Longest time that is shown in a reason, in characters. */
const SHOWN_MAX = 40;

/** Characters of values after which no further row is taken with them: an INSERT is one packet. */
const CHARS_AT_ONCE = 1024 * 1024;
/** Rows that are passed over in one. */
const SKIPPED_AT_ONCE = 1_000;

/** A row of a file: a submission, or the reason why it is none. */
export type ReadRow = { line: number } & (
  { submission: ImportedSubmission; problem: null } | { submission: null; problem: string }
);

/** The file of an import. */
export interface ImportFile {
  path: string;
  encoding: Encoding;
}

/** Facts that the rows of a file are read with. */
export interface ReadFor {
  formId: number;
  /** Time of rows without one, where they take that of the import. */
  undatedAt: Date;
  now: Date;
}

/** Reads the rows of a file once, in its order. */
export class ImportReader {
  /** The columns of a CSV, once its first row was read. */
  columns: readonly string[] = [];
  private provider: Provider;
  private readonly mapping: Mapping;
  private readonly ids = new RowIds();
  private readonly rows = this.allRows();
  private failure: Error | null = null;
  private stream: ReadStream | null = null;
  private isCsv = false;

  constructor(
    private readonly file: ImportFile,
    private readonly options: ImportOptions,
    private readonly about: ReadFor,
    private readonly limits: IntakeSettings,
  ) {
    this.provider = PROVIDERS[options.provider];
    this.mapping = { time: options.time, columns: new Map(options.columns) };
  }

  /** Returns how much of the file was read, in bytes; some of that may wait. */
  get bytesRead(): number {
    return this.stream?.bytesRead ?? 0;
  }

  /**
   * Reads the next rows, fewer where they are long. An error comes once the rows before it were taken.
   * @throws ImportUnreadable, ImportTruncated, ImportFileGone
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
    this.stream = createReadStream(this.file.path);
    try {
      for await (const row of await this.rawRows(decoded(this.stream, this.file.encoding))) {
        yield this.read(row);
      }
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ImportFileGone() : error;
    } finally {
      this.stream.destroy();
    }
  }

  /** Tells JSON from CSV by its first character. */
  private async rawRows(text: AsyncGenerator<string>): Promise<AsyncGenerator<RawRow>> {
    const { kinds } = this.provider;
    let begin = '';
    while (begin.trim() === '') {
      const next: IteratorResult<string, unknown> = await text.next();
      if (next.done === true) throw new ImportUnreadable('The file is empty.');
      begin = next.value;
    }
    const whole = withBegin(begin, text);
    const limits = rowLimits(this.limits);
    if (kinds.includes('ndjson')) return ndjsonRows(whole, limits);
    if (kinds.includes('json') && /^\s*[[{]/.test(begin)) return jsonRows(whole, limits);
    this.isCsv = true;
    return csvRows(whole, limits, (columns) => {
      this.takeColumns(columns);
    });
  }

  /** @throws ImportUnreadable */
  private takeColumns(columns: readonly string[]): void {
    this.columns = columns;
    if (this.provider === PROVIDERS.csv && isOwnHeader(columns)) this.provider = ownCsv;
    const { maxFields } = this.limits;
    const all = columns.map((name) => textMember(name, ''));
    const { length } = recordOf(this.provider, all, true, this.mapping).fields;
    if (length <= maxFields) return;
    throw new ImportUnreadable(
      `The file has ${length} columns with fields. A submission can have up to ${maxFields}: leave some columns out.`,
    );
  }

  private read({ line, members, problem }: RawRow): ReadRow {
    if (!members) return { line, submission: null, problem: problem ?? '' };
    const record = recordOf(this.provider, members, this.isCsv, this.mapping);
    const fields = this.unprefixed(record.fields);
    const moment = this.momentOf(record);
    const wrong =
      typeof moment === 'string'
        ? moment
        : record.trash
          ? 'It was in the trash.'
          : problemOfFields(fields, this.limits);
    if (typeof moment === 'string' || wrong !== null) {
      return { line, submission: null, problem: wrong ?? '' };
    }
    return { line, submission: this.submissionOf(members, record, fields, moment), problem: null };
  }

  private submissionOf(
    members: readonly JsonMember[],
    { id: externalId, spam, origin, referer, userAgent }: ExportedRecord,
    fields: readonly JsonMember[],
    moment: Moment,
  ): ImportedSubmission {
    const { formId } = this.about;
    // An export is the same submissions as CSV and as NDJSON.
    const provider = this.provider === ownCsv ? 'ndjson' : this.options.provider;
    // As it is in the file: another choice of columns makes no other submission of it.
    const row = externalId === null ? new SubmittedValues(members).encode() : '';
    const isOurs = this.provider.isOurs === true && externalId !== null;
    const part = isOurs ? partOf(externalId, moment.ms) : moment.part;
    const source: SubmissionSource = {
      origin: (origin ?? originOf(referer))?.slice(0, ORIGIN_MAX) ?? null,
      referer: referer?.slice(0, REFERER_MAX) ?? null,
      userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      address: null,
      country: null,
      language: null,
      subject: null,
    };
    return {
      id: this.ids.of({ formId, provider, externalId, row }, { ms: moment.ms, part }),
      formerId: isOurs ? parseUuid(externalId.toLowerCase()) : null,
      createdAt: new Date(moment.ms),
      values: new SubmittedValues(fields),
      ...{ spam, source },
    };
  }

  /** Returns when it was submitted, or the reason why that cannot be stored. */
  private momentOf({ time }: ExportedRecord): Moment | string {
    const { undatedAt, now } = this.about;
    const moment = time === null ? null : readMoment(time);
    if (!moment) {
      if (this.options.undated === 'now') return { ms: undatedAt.getTime(), part: null };
      if (time !== null) return `We cannot read its time, "${time.slice(0, SHOWN_MAX)}".`;
      return 'It has no time.';
    }
    if (moment.ms < 0) return 'Its time is before 1970.';
    return moment.ms > now.getTime() ? 'Its time is in the future.' : moment;
  }

  private unprefixed(fields: JsonMember[]): JsonMember[] {
    if (!this.isCsv || !(this.options.unprefix || this.provider === ownCsv)) return fields;
    return fields.map(({ name, text = '' }) => textMember(name, undefused(text)));
  }
}

/** Returns the length of the values of a row, in characters. */
function charsOf({ submission }: ReadRow): number {
  if (!submission) return 0;
  return submission.values.members.reduce(
    (sum, { name, json }) => sum + name.length + json.length,
    0,
  );
}

/** Returns the origin of a page; null where that is not known. */
function originOf(referer: string | null): string | null {
  return referer?.includes('://') === true ? parseOrigin(referer) : null;
}

/** Returns the beginning of a text and what follows it. */
async function* withBegin(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  yield* rest;
}
