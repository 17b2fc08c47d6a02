import { insertion, sqlDate, type Statement } from '../../platform/database/statement.js';
import type { Debt } from '../../deliveries/delivery.entity.js';
import type { StoredFile } from '../../files/file-store.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { SubmissionBatch } from './submission-batch.entity.js';
import type { Sender } from '../submission.entity.js';
import { SubmissionTooLong } from '../submission.errors.js';

/** A submission that has arrived and is not stored yet. */
export interface Arrival {
  id: Buffer;
  formId: number;
  createdAt: Date;
  /** `SubmittedValues.encode()` */
  payload: string;
  /** `SubmittedValues.searchText()` */
  searchText: string;
  /** `digestsOf()` its values; null when there is too much of them to be done while the visitor waits. */
  digests: string[] | null;
  /** Null when it is not spam. */
  spamReason: string | null;
  sender: Sender;
  files: StoredFile[];
  /** What is owed for it. */
  debts: Debt[];
  idempotency: IdempotencyRecord | null;
  /** About how much of a transaction it takes. */
  bytes: number;
}

/** Lets a repeated request get the first answer. */
export interface IdempotencyRecord {
  keyDigest: Buffer;
  contentDigest: Buffer;
  answer: string;
}

const SUBMISSION_COLUMNS = [
  'id',
  'form_id',
  'trash',
  'spam',
  'spam_reason',
  'created_at',
  'payload',
  'search_text',
  'origin',
  'referer',
  'user_agent',
  'address',
];
const KEY_COLUMNS = ['form_id', 'key_digest', 'content_digest', 'answer', 'created_at'];
const FILE_COLUMNS = [
  'id',
  'form_id',
  'submission_id',
  'position',
  'field',
  'name',
  'media_type',
  'size',
  'sha256',
];

const BATCH_COLUMNS = ['id', 'submission_ids', 'digests'];

/**
 * The longest packet that servers take as they come is 16 MiB, and a transaction is one. A submission so
 * large is alone in it; this leaves room for the rest of its rows.
 */
const TEXT_BYTES_MAX = 15 * 1024 * 1024;
/** So short a payload fits whatever is in it: it and the search text grow less than four times each. */
const SURELY_FITS = TEXT_BYTES_MAX / 8;
/** Characters that take two bytes in a statement. */
const ESCAPED = /[\0\b\t\n\r\x1a"'\\]/g;

/**
 * Refuses texts that do not fit into the statement which stores them, on any database.
 * @throws SubmissionTooLong
 */
export function refuseTooLong(payload: string, searchText: string): void {
  if (payload.length < SURELY_FITS) return;
  const bytes = [payload, searchText].map(
    (text) => Buffer.byteLength(text) + (text.match(ESCAPED)?.length ?? 0),
  );
  if (bytes.reduce((sum, more) => sum + more) > TEXT_BYTES_MAX) throw new SubmissionTooLong();
}

/**
 * What stores submissions with all that belongs to them. The counts come first: every transaction
 * then queues at the forms' rows before it holds anything else, which leaves nothing to deadlock over.
 */
export function insertionOf(arrivals: Arrival[]): Statement[] {
  return [
    ...addition(arrivals),
    ...insertion('idempotency_keys', KEY_COLUMNS, arrivals.flatMap(keyRows)),
    ...insertion('submissions', SUBMISSION_COLUMNS, arrivals.map(submissionRow)),
    ...insertion('files', FILE_COLUMNS, arrivals.flatMap(fileRows)),
    ...insertion('submission_batches', BATCH_COLUMNS, [batchRow(arrivals)]),
  ];
}

/** What adds to the counts: one statement for all forms of the batch. */
function addition(arrivals: Arrival[]): Statement[] {
  const counts = new Map<number, number>();
  for (const { formId, spamReason } of arrivals) {
    if (spamReason === null) counts.set(formId, (counts.get(formId) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const ids = [...counts.keys()].sort((a, b) => a - b);
  const cases = ids.map((id) => `WHEN ${id} THEN ${counts.get(id) ?? 0}`).join(' ');
  const sum = `submission_count + CASE id ${cases} ELSE 0 END`;
  return [{ sql: `UPDATE forms SET submission_count = ${sum} WHERE id IN (${ids.join(',')})` }];
}

function submissionRow(arrival: Arrival): unknown[] {
  const { id, formId, createdAt, payload, searchText, spamReason, sender } = arrival;
  const { origin, referer, userAgent, address } = sender;
  const spam = spamReason === null ? 0 : 1;
  return [
    id,
    formId,
    0,
    spam,
    spamReason,
    sqlDate(createdAt),
    payload,
    searchText,
    origin,
    referer,
    userAgent,
    address,
  ];
}

function batchRow(arrivals: Arrival[]): unknown[] {
  const ids = Buffer.concat(arrivals.map(({ id }) => id));
  const digests = arrivals.flatMap((arrival) => (arrival.digests ? [arrival.digests] : []));
  const packed = digests.length === arrivals.length ? SubmissionBatch.pack(digests) : null;
  return [makeUuid(), ids, packed];
}

function keyRows({ formId, createdAt, idempotency }: Arrival): unknown[][] {
  if (!idempotency) return [];
  const { keyDigest, contentDigest, answer } = idempotency;
  return [[formId, keyDigest, contentDigest, answer, sqlDate(createdAt)]];
}

function fileRows({ id, formId, files }: Arrival): unknown[][] {
  return files.map((file, position) => [
    file.id,
    formId,
    id,
    position,
    file.field,
    file.name,
    file.mediaType,
    file.size,
    file.sha256,
  ]);
}
