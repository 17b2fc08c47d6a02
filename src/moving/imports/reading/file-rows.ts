import { hash } from 'node:crypto';
import { ownCsv, type Provider, type ExportedRecord } from '../formats/index.js';
import type { RowProblem } from '../model/import.entity.js';
import type { ImportOptions } from '../model/import-options.js';
import {
  textMember,
  type JsonMember,
  type Config,
  undefused,
  stampUuid,
  timeOf,
  uuidOf,
} from '../../../platform/index.js';
import { problemOfFields, SubmittedValues } from '../../../submissions/model/submitted-values.js';
import { parseOrigin } from '../../../submissions/model/page-address.js';
import type { SubmissionSource } from '../../../submissions/model/submission.entity.js';
import type { ImportedSubmission } from '../../../submissions/storage/imported-submissions.service.js';
import { type DayOrders, orderIn, readMoment, type Moment, type Zone } from '../times/moments.js';

/** Bytes of a digest that tell rows apart: equal ones of different rows do no harm, they count as alike. */
const KEY_BYTES = 6;
const SLOTS_FIRST = 1 << 12;
const PART_MASK = 0xfff;

/** Facts that identify a row. */
interface RowIdentity {
  formId: number;
  provider: string;
  /** Its id there; null to tell it by what it says. */
  externalId: string | null;
  /** The row as it is in the file. */
  row: string;
}

/**
 * Makes the ids of the rows of one file: UUIDs version 7 whose time is that of the submission, and whose other bits are of a
 * digest of what identifies the row. So another import of the same rows finds them.
 */
export class RowIds {
  private readonly alike = new Occurrences();

  of({ formId, provider, externalId, row }: RowIdentity, { ms, part }: Moment): Buffer {
    const identity = externalId === null ? this.occurrenceOf(row) : `id ${externalId}`;
    const id = hash('sha256', `${formId}\0${provider}\0${identity}`, 'buffer');
    stampUuid(id, ms, part ?? id.readUInt16BE(6) & PART_MASK);
    return Buffer.from(id.subarray(0, 16));
  }

  /** Returns the digest of a row, and how many like it came before: the same may have been sent twice. */
  private occurrenceOf(row: string) {
    const digest = hash('sha256', row, 'buffer');
    return `row ${digest.toString('hex')} ${this.alike.count(digest.readUIntBE(0, KEY_BYTES))}`;
  }
}

/** Returns what follows the millisecond in an id of our own, which keeps the order; null for other ids. */
function partOf(externalId: string, ms: number) {
  const id = uuidOf(externalId);
  return id !== null && timeOf(id).getTime() === ms ? id.readUInt16BE(6) & PART_MASK : null;
}

/** Counts numbers in 12 bytes each, where a map would need eight times as much. */
export class Occurrences {
  private keys = new Float64Array(SLOTS_FIRST);
  private counts = new Uint32Array(SLOTS_FIRST);
  private used = 0;

  /** @returns how often it was counted before */
  count(key: number) {
    if (this.used * 2 > this.keys.length) this.grow();
    const slot = this.slotOf(key);
    const before = this.counts[slot] ?? 0;
    if (before === 0) this.used++;
    this.keys[slot] = key;
    this.counts[slot] = before + 1;
    return before;
  }

  private slotOf(key: number) {
    const { length } = this.keys;
    let slot = key % length;
    while (this.counts[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) % length;
    return slot;
  }

  private grow() {
    const { keys, counts } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    for (const [at, count] of counts.entries()) {
      if (count === 0) continue;
      const slot = this.slotOf(keys[at] ?? 0);
      this.keys[slot] = keys[at] ?? 0;
      this.counts[slot] = count;
    }
  }
}

const ORIGIN_MAX = 255;
const REFERER_MAX = 2048;
const USER_AGENT_MAX = 512;
/** Longest time that is shown in a reason, in characters. */
const SHOWN_MAX = 40;

/** A row of a file: a submission, or the reason why it is none. */
export type ReadRow =
  | { line: number; submission: ImportedSubmission; reason?: undefined }
  | (RowProblem & { submission?: undefined });

/** Facts that the rows of a file are read with. */
export interface ReadFor {
  formId: number;
  /** Time of rows without one, where they take that of the import. */
  undatedAt: Date;
  now: Date;
}

/** How the rows of a file are read, once its first ones were. */
interface RowReading {
  provider: Provider;
  options: ImportOptions;
  isCsv: boolean;
  days: DayOrders;
  /** The zone of times without one. */
  zone: Zone;
}

/** Makes submissions of the rows of one file, in its order. */
export class RowReader {
  private readonly ids = new RowIds();

  constructor(
    private readonly reading: RowReading,
    private readonly about: ReadFor,
    private readonly limits: Config['intake'],
  ) {}

  /** @param members of the row, as they are in the file */
  read(line: number, members: readonly JsonMember[], record: ExportedRecord): ReadRow {
    const fields = this.unprefixed(record.fields);
    const moment = this.momentOf(record);
    if (typeof moment === 'string') return { line, reason: moment };
    const reason = record.trash ? 'It was in the trash.' : problemOfFields(fields, this.limits);
    if (reason !== null) return { line, reason };
    return { line, submission: this.submissionOf(members, record, fields, moment) };
  }

  private submissionOf(
    members: readonly JsonMember[],
    { id: externalId, spam, origin, referer, userAgent }: ExportedRecord,
    fields: readonly JsonMember[],
    moment: Moment,
  ): ImportedSubmission {
    const { formId } = this.about;
    const { provider: own, options } = this.reading;
    // An export is the same submissions as CSV and as NDJSON.
    const provider = own === ownCsv ? 'ndjson' : options.provider;
    // As it is in the file: another choice of columns makes no other submission of it.
    const row = externalId === null ? new SubmittedValues(members).encode() : '';
    const isOurs = own.isOurs === true && externalId !== null;
    const part = isOurs ? partOf(externalId, moment.ms) : moment.part;
    const source: SubmissionSource = {
      origin: (origin ?? originOf(referer))?.slice(0, ORIGIN_MAX) ?? null,
      referer: referer?.slice(0, REFERER_MAX) ?? null,
      userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      ...{ address: null, country: null, language: null, subject: null },
    };
    return {
      id: this.ids.of({ formId, provider, externalId, row }, { ms: moment.ms, part }),
      formerId: isOurs ? uuidOf(externalId) : null,
      createdAt: new Date(moment.ms),
      values: new SubmittedValues(fields),
      ...{ spam, source },
    };
  }

  /** Returns when it was submitted, or the reason why that cannot be stored. */
  private momentOf({ time }: ExportedRecord) {
    const { undatedAt, now } = this.about;
    const { days, zone, options } = this.reading;
    const moment = time === null ? null : readMoment(time, { order: days.order, zone });
    if (!moment) {
      // A time that can be read in two ways is there: that of the import would be a wrong one.
      const isEither = time !== null && orderIn(time) === 'either';
      if (options.undated === 'now' && !isEither) return { ms: undatedAt.getTime(), part: null };
      if (time === null) return 'It has no time.';
      const shown = time.slice(0, SHOWN_MAX);
      if (!isEither) return `We cannot read its time, "${shown}".`;
      const why = days.areBoth
        ? 'other rows prove both orders of day and month'
        : 'no row proves whether the day or the month comes first';
      return `Its time, "${shown}", can be read in two ways, and ${why}.`;
    }
    if (moment.ms < 0) return 'Its time is before 1970.';
    return moment.ms > now.getTime() ? 'Its time is in the future.' : moment;
  }

  private unprefixed(fields: JsonMember[]) {
    const { isCsv, options, provider } = this.reading;
    if (!isCsv || !(options.unprefix || provider === ownCsv)) return fields;
    return fields.map(({ name, text = '' }) => textMember(name, undefused(text)));
  }
}

/** Returns the origin of a page; null where that is not known. */
function originOf(referer: string | null) {
  return referer?.includes('://') === true ? parseOrigin(referer) : null;
}
