import {
  longTextBytes,
  insertStatement,
  sqlDate,
  type Statement,
  databaseErrorCode,
  PacketTooLarge,
} from '../../platform/database/index.js';
import type { OutboxEntry } from '../../deliveries/deliveries.service.js';
import type { PlannedDelivery } from '../../deliveries/model/delivery.entity.js';
import type { StoredFile } from '../files/file-store.js';
import { fileScanInserts } from '../files/scans/file-scans.repository.js';
import { makeUuid } from '../../platform/index.js';
import { FACETS_NOW, type Facet } from '../model/facet.js';
import { addedUpTo, CountLimitReached, isOverLimit } from './idempotency.js';
import { idempotencyKeyInserts, type IdempotencyRecord } from './idempotency-keys.repository.js';
import { encodeReceived, receivedOf } from '../rows/received.js';
import { encodeParts } from '../verdicts/submission-verdict.entity.js';
import { spentSolutionInserts, type Solution, isSpentTwice, SolutionSpent } from '../../spam/evidence/spam-evidence.js';
import { SubmissionBatch } from './submission-batch.entity.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import { PROBE_FORM } from '../model/submitted-values.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { SubmissionTooLong, IdempotencyKeyTaken } from '../model/submission.errors.js';

/** A submission that is accepted and not stored yet. */
export interface NewSubmission {
  id: Buffer;
  formId: number;
  /** Submissions that its form takes in all; null for any number. */
  limit: number | null;
  accountId: number;
  createdAt: Date;
  /** Written by `SubmittedValues.encode()`. */
  payload: string;
  /** Made by `digestsOf()`; null when there are too many values to do that while the visitor waits. */
  digests: string[] | null;
  /** Its facets, made by `facetsOf()`. */
  facets: readonly Facet[];
  verdict: Verdict;
  /** When its hold ends; null for never, and unless it is held. */
  heldUntil: Date | null;
  /** The solution that it spends; null without. */
  solution: Solution | null;
  source: SubmissionSource;
  files: StoredFile[];
  /** The deliveries to create with it. */
  planned: PlannedDelivery[];
  idempotency: IdempotencyRecord | null;
  /** Its approximate share of a transaction, in characters of its texts. */
  bytes: number;
  /** Whether it comes from another service. */
  isImported?: boolean;
}

const SUBMISSION_COLUMNS = [
  'id',
  'form_id',
  'account_id',
  'trash',
  'spam',
  'done',
  'spam_reason',
  'spam_code',
  'created_at',
  'payload',
  'search_text',
  'origin',
  'referer',
  'user_agent',
  'address',
  'country',
  'language',
  'subject',
  'facets',
];
const FILE_COLUMNS = ['id', 'form_id', 'submission_id', 'position', 'field', 'name', 'media_type', 'size', 'sha256'];

const VERDICT_COLUMNS = ['submission_id', 'form_id', 'band', 'parts', 'judged', 'held_until'];
const BATCH_COLUMNS = ['id', 'submission_ids', 'digests', 'counts'];

/**
 * Longest texts of one submission in bytes. A transaction is one packet, and servers take 16 MiB by default;
 * the rest is for its other rows.
 */
const TEXT_BYTES_MAX = 15 * 1024 * 1024;
/** Below this many characters no escaping or UTF-8 growth (under 4x) can reach TEXT_BYTES_MAX. */
const ALWAYS_FITS_CHARS = TEXT_BYTES_MAX / 4;
/** Value of a column that only older versions read. */
const NO_LONGER_READ = '';

/**
 * Refuses values that do not fit into the INSERT, on any database.
 * @throws SubmissionTooLong
 */
export function refuseTooLong(payload: string) {
  if (payload.length < ALWAYS_FITS_CHARS) return;
  if (longTextBytes(payload) > TEXT_BYTES_MAX) throw new SubmissionTooLong();
}

/**
 * Returns the statements that store submissions with their files, counts, keys and index work. The counts
 * come first: each transaction waits for its forms' rows before it locks anything else, so none can deadlock.
 */
export function submissionInserts(submissions: NewSubmission[]): Statement[] {
  return [...countUpdates(submissions), ...rowInserts(submissions)];
}

/**
 * Returns the same with the counts last: visitors who submit to the form wait for its row only while the transaction is
 * committed. For transactions that may be rolled back and run again.
 */
export function insertsBeforeCounts(submissions: NewSubmission[]): Statement[] {
  return [...rowInserts(submissions), ...countUpdates(submissions)];
}

function rowInserts(submissions: NewSubmission[]) {
  // Nobody looks for a probe, and nothing counts it.
  const indexed = submissions.filter(({ formId }) => formId !== PROBE_FORM.id);
  return [
    ...idempotencyKeyInserts(submissions),
    ...insertStatement('submissions', SUBMISSION_COLUMNS, submissions.map(submissionRow)),
    ...spentSolutionInserts(submissions),
    ...insertStatement('files', FILE_COLUMNS, submissions.flatMap(fileRows)),
    ...fileScanInserts(submissions.flatMap(({ files }) => files)),
    ...insertStatement('submission_verdicts', VERDICT_COLUMNS, submissions.flatMap(verdictRows)),
    ...insertStatement('submission_batches', BATCH_COLUMNS, indexed.length > 0 ? [batchRow(indexed)] : []),
  ];
}

/** Returns what is to be enqueued for any of these submissions that cause something. */
export function outboxEntries(submissions: readonly NewSubmission[]): OutboxEntry[] {
  return submissions.flatMap(({ id, formId, planned }) =>
    planned.length === 0 ? [] : [{ submissionId: id, formId, planned }],
  );
}

/** Returns one statement that adds to the counts of all forms in the batch, and to the bytes of their files. */
function countUpdates(submissions: NewSubmission[]): Statement[] {
  const counts = new Map<number, number>();
  const limits = new Map<number, number>();
  const bytes = new Map<number, number>();
  for (const { formId, limit, verdict, files } of submissions) {
    if (limit !== null) limits.set(formId, Math.min(limit, limits.get(formId) ?? limit));
    if (!verdict.isSpam) counts.set(formId, (counts.get(formId) ?? 0) + 1);
    for (const { size } of files) bytes.set(formId, (bytes.get(formId) ?? 0) + size);
  }
  const sets = [
    ...sumOf('submission_count', counts, (id, added) => addedUpTo(limits.get(id) ?? null, added)),
    ...sumOf('files_bytes', bytes, (_, added) => String(added)),
  ];
  if (sets.length === 0) return [];
  const ids = inOrder(new Set([...counts.keys(), ...bytes.keys()]));
  return [{ sql: `UPDATE forms SET ${sets.join(', ')} WHERE id IN (${ids.join(',')})` }];
}

/** Returns the assignment that adds to a column of each form; none when there is nothing to add. */
function sumOf(column: string, added: Map<number, number>, expression: (id: number, by: number) => string) {
  if (added.size === 0) return [];
  const cases = inOrder(added.keys()).map((id) => `WHEN ${id} THEN ${expression(id, added.get(id) ?? 0)}`);
  return [`${column} = ${column} + CASE id ${cases.join(' ')} ELSE 0 END`];
}

function inOrder(ids: Iterable<number>) {
  return [...ids].sort((a, b) => a - b);
}

function submissionRow(submission: NewSubmission): unknown[] {
  const { id, formId, accountId, createdAt, payload, verdict, source } = submission;
  const { origin, referer, userAgent, address, country, language, subject } = source;
  const reason = verdict.isSpam ? verdict.heaviest : null;
  return [
    id,
    formId,
    accountId,
    0,
    verdict.isSpam ? 1 : 0,
    0,
    reason?.reason ?? null,
    reason?.name ?? null,
    sqlDate(createdAt),
    payload,
    NO_LONGER_READ,
    origin,
    referer,
    userAgent,
    address,
    country,
    language,
    subject,
    FACETS_NOW,
  ];
}

function batchRow(submissions: NewSubmission[]): unknown[] {
  const ids = Buffer.concat(submissions.map(({ id }) => id));
  const digests = submissions.flatMap((submission) => (submission.digests ? [submission.digests] : []));
  const packed = digests.length === submissions.length ? SubmissionBatch.pack(digests) : null;
  const counted = submissions.map(({ id, formId, verdict, facets, isImported }) => {
    return { id, formId, facets, isSpam: verdict.isSpam, isImported };
  });
  return [makeUuid(), ids, packed, encodeReceived(receivedOf(counted))];
}

/** Returns the row of a verdict; none where there is nothing to say. */
function verdictRows({ id, formId, verdict, heldUntil }: NewSubmission): unknown[][] {
  const { band, parts } = verdict;
  if (parts.length === 0) return [];
  return [[id, formId, band, encodeParts(parts), null, heldUntil && sqlDate(heldUntil)]];
}

function fileRows({ id, formId, files }: NewSubmission): unknown[][] {
  return files.map(({ id: fileId, field, name, mediaType, size, sha256 }, position) => {
    return [fileId, formId, id, position, field, name, mediaType, size, sha256];
  });
}

/**
 * Tells whether a row exists already. Ids are random, so it is an idempotency key, or our own row of a commit
 * whose answer was lost.
 */
export function isDuplicateRow(error: unknown) {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_PRIMARYKEY)$/.test(databaseErrorCode(error));
}

/** Returns the error for the visitor whose submission the database refused. */
export function refusalOf(error: unknown): Error {
  if (isSpentTwice(error)) return new SolutionSpent();
  if (isOverLimit(error)) return new CountLimitReached();
  if (isDuplicateRow(error)) return new IdempotencyKeyTaken();
  if (error instanceof PacketTooLarge) return new SubmissionTooLong();
  return error instanceof Error ? error : new Error(String(error));
}
