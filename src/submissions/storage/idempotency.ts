import { Injectable } from '@nestjs/common';
import { createHash, hash } from 'node:crypto';
import { databaseErrorCode, UnitOfWork } from '../../platform/database/index.js';
import {
  inPortions,
  BackgroundTask,
  type TaskRun,
  type JsonMember,
  DAY_MS,
  HOUR_MS,
  SECOND_MS,
  typedAddress,
} from '../../platform/index.js';
import { type IdempotencyRecord, IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import type { StoredFile } from '../files/file-store.js';
import {
  IdempotencyConflict,
  IdempotencyKeyMalformed,
  IdempotencyKeyReused,
  IdempotencyKeyTaken,
} from '../model/submission.errors.js';
import { Projected, type Projection } from '../../forms/projections.js';
import type { SubmissionSource } from '../model/submission.entity.js';

/** A transaction would bring a form above the number of submissions that it takes. */
export class CountLimitReached extends Error {}

/**
 * Returns what a transaction adds to the count of a form, as an expression. Above the limit it is NULL, which the column
 * refuses, so the limit is exact however many instances store at once.
 */
export function addedUpTo(limit: number | null, added: number) {
  if (limit === null) return String(added);
  return `CASE WHEN submission_count + ${added} > ${limit} THEN NULL ELSE ${added} END`;
}

/** Tells whether a transaction was refused because a count in it would be above its limit. */
export function isOverLimit(error: unknown) {
  return (
    /^(?:ER_BAD_NULL_ERROR|SQLITE_CONSTRAINT_NOTNULL)$/.test(databaseErrorCode(error)) &&
    String(error).includes('submission_count')
  );
}

/** How long a repeated request gets the first answer. */
const IDEMPOTENCY_TTL_MS = DAY_MS;
/** Keys that one statement removes: SQLite nests conditions at most 1,000 deep. */
const DELETE_ROWS = 200;

/** Longest key, in characters. */
const KEY_MAX = 255;

/** The content that must be the same for a request to be a repetition. */
interface SentContent {
  members: readonly JsonMember[];
  files: readonly StoredFile[];
  honeypot: string | null;
}

/** An answer, which the record keeps as JSON. */
type Store<Answer> = (record: Omit<IdempotencyRecord, 'answer'>) => Promise<Answer>;

/** Makes sure that requests with the same key are stored once and get the same answer. */
@Injectable()
@Projected({ tables: ['idempotency_keys'] })
export class Idempotency implements Projection {
  /** Requests under way in this process: later ones with the same key wait for the first. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Stores a submission unless its key was used before.
   * @param store stores the submission with the record, and returns the answer
   * @returns the first answer for this key, now or earlier
   * @throws IdempotencyKeyReused when the key came with other content
   * @throws IdempotencyConflict while another instance stores it
   */
  async once<Answer>(formId: number, key: string, sent: SentContent, store: Store<Answer>): Promise<Answer> {
    if (key === '' || key.length > KEY_MAX) throw new IdempotencyKeyMalformed();
    const record = { keyHash: digest(key), contentHash: contentHash(sent) };
    const slot = `${formId}:${record.keyHash.toString('hex')}`;
    for (;;) {
      const first = this.underWay.get(slot);
      if (!first) break;
      await first.catch(() => undefined); // it failed, so this one may be the next
    }
    const answer = this.answerOrStore(formId, record, store);
    this.underWay.set(slot, answer);
    try {
      return await answer;
    } finally {
      this.underWay.delete(slot);
    }
  }

  /**
   * Removes expired keys.
   * @returns how many
   */
  @BackgroundTask('forget idempotency keys', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const time = new Date(now.getTime() - IDEMPOTENCY_TTL_MS);
    return inPortions(async () => this.removeAll(await this.keys.olderThan(time, DELETE_ROWS)), signal);
  }

  /** Removes the keys of a deleted form. */
  async forgetForm(formId: number) {
    await inPortions(async () => this.removeAll(await this.keys.ofForm(formId, DELETE_ROWS)));
  }

  private async removeAll(keys: { formId: number; keyHash: Buffer }[]) {
    if (keys.length > 0) await this.unitOfWork.run((tx) => this.keys.in(tx).removeAll(keys));
    return keys.length;
  }

  private async answerOrStore<Answer>(formId: number, record: Omit<IdempotencyRecord, 'answer'>, store: Store<Answer>) {
    const known = await this.firstAnswer<Answer>(formId, record);
    if (known !== null) return known;
    try {
      return await store(record);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
      // Another instance stored it between our read and our write.
      const theirs = await this.firstAnswer<Answer>(formId, record);
      if (theirs === null) throw new IdempotencyConflict();
      return theirs;
    }
  }

  private async firstAnswer<Answer>(formId: number, { keyHash, contentHash }: Omit<IdempotencyRecord, 'answer'>) {
    const found = await this.keys.find(formId, keyHash);
    if (!found) return null;
    if (found.createdAt.getTime() <= Date.now() - IDEMPOTENCY_TTL_MS) {
      await this.unitOfWork.run((tx) => this.keys.in(tx).remove(formId, keyHash));
      return null;
    }
    if (!found.contentHash.equals(contentHash)) throw new IdempotencyKeyReused();
    return JSON.parse(found.answer) as Answer;
  }
}

/** Hashes a submission's content. */
function contentHash(sent: SentContent): Buffer {
  return digest(JSON.stringify(contentOf(sent)));
}

/** Returns what makes up a submission's content: fields in order, files by their bytes. */
function contentOf({ members, files, honeypot }: SentContent): unknown[] {
  return [
    members.map(({ name, json }) => [name, json]),
    files.map(({ field, name, sha256 }) => [field, name, sha256.toString('hex')]),
    honeypot,
  ];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** How long after a submission an equal one of its sender counts as sent twice, in milliseconds. */
const TWICE_MS = 10 * SECOND_MS;
/** Most submissions that are remembered; the oldest go first. */
const SENDS_MAX = 20_000;
/** A field that holds a number of a telephone, by its name. */
const PHONE_FIELD = /phone|mobile|\btel\b|telefon|handy/i;
/** Least digits of such a number. */
const PHONE_DIGITS = 6;
/** Least characters and blanks of a text that nobody else would write. */
const OWN_TEXT_CHARS = 40;
const OWN_TEXT_BLANKS = 5;

/** A submission, its sender and the token of its page. */
interface Sent extends SentContent {
  source: Pick<SubmissionSource, 'userAgent' | 'origin'>;
  sender: { address: string; acceptLanguage: string | null };
  token: string | null;
}

/** The trace of one that came moments ago. */
interface Recent {
  until: number;
  /** Its id once it is stored; null when it was not. */
  stored: Promise<Buffer | null>;
}

/**
 * Knows what this process took in within the last seconds, so that a double click tells nobody twice. Content that
 * several people would send, such as "yes", says nothing of its sender: a whole class can be behind one address.
 */
export class RecentSends {
  private readonly sends = new Map<string, Recent>();

  /**
   * Stores a submission, unless the same sender sent the same within seconds and that was stored.
   * @param store stores it, and returns its id too
   * @param repeat is told the first one in place of that
   */
  async once<Answer>(
    formId: number,
    received: Sent,
    now: Date,
    store: () => Promise<{ id: Buffer; answer: Answer }>,
    repeat: (first: Buffer) => Promise<Answer>,
  ): Promise<Answer> {
    const key = keyOf(formId, received);
    if (key === null) return (await store()).answer;
    for (;;) {
      const known = this.sends.get(key);
      if (!known || known.until <= now.getTime()) break;
      const first = await known.stored;
      if (first) return repeat(first);
      // It failed, so this one may be the first.
      if (this.sends.get(key) === known) this.sends.delete(key);
    }
    const storing = store();
    const stored = storing.then(
      ({ id }) => id,
      () => null,
    );
    this.sends.delete(key); // those that came last are at the end
    this.sends.set(key, { until: now.getTime() + TWICE_MS, stored });
    this.forgetOld(now);
    return (await storing).answer;
  }

  private forgetOld(now: Date) {
    for (const [key, { until }] of this.sends) {
      if (until > now.getTime() && this.sends.size <= SENDS_MAX) return;
      this.sends.delete(key);
    }
  }
}

/** Returns what equal submissions of a sender have in common; null for one that others could send just so. */
function keyOf(formId: number, received: Sent) {
  const { sender, source, token } = received;
  const isOwn = received.members.some(({ name, json }) => isOfOnePerson(name, json));
  if (!isOwn && token === null) return null;
  const { address, acceptLanguage } = sender;
  const shown = isOwn ? null : token;
  const whose = [formId, address, source.userAgent, acceptLanguage, source.origin, shown];
  return hash('sha256', JSON.stringify([whose, contentOf(received)]), 'base64');
}

/** Tells whether a value stands for one person: an address, a number of a telephone, or a text of some words. */
function isOfOnePerson(name: string, json: string) {
  if (json.includes('@') && typedAddress(json.replaceAll('"', '')) !== null) return true;
  if (PHONE_FIELD.test(name) && json.replace(/\D+/g, '').length >= PHONE_DIGITS) return true;
  return json.length >= OWN_TEXT_CHARS && json.split(' ', OWN_TEXT_BLANKS + 1).length > OWN_TEXT_BLANKS;
}
