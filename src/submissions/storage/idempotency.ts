import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import {
  type IdempotencyRecord,
  IdempotencyKeysRepository,
} from './idempotency-keys.repository.js';
import type { StoredFile } from '../../files/file-store.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';
import {
  IdempotencyConflict,
  IdempotencyKeyMalformed,
  IdempotencyKeyReused,
  IdempotencyKeyTaken,
} from '../model/submission.errors.js';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/time/durations.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { Projected, type Projection } from '../../projections/projection.js';

/** How long a repeated request gets the first answer. */
const IDEMPOTENCY_TTL_MS = DAY_MS;
/** Keys that one statement removes: SQLite nests conditions at most 1,000 deep. */
const DELETE_ROWS = 200;

/** Longest key, in characters. */
const KEY_MAX = 255;

/** The content that must be the same for a request to be a repetition. */
export interface SentContent {
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
  async once<Answer>(
    formId: number,
    key: string,
    sent: SentContent,
    store: Store<Answer>,
  ): Promise<Answer> {
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
    return inPortions(
      async () => this.removeAll(await this.keys.olderThan(time, DELETE_ROWS)),
      signal,
    );
  }

  /** Removes the keys of a deleted form. */
  async forgetForm(formId: number): Promise<void> {
    await inPortions(async () => this.removeAll(await this.keys.ofForm(formId, DELETE_ROWS)));
  }

  private async removeAll(keys: { formId: number; keyHash: Buffer }[]): Promise<number> {
    if (keys.length > 0) await this.unitOfWork.run((tx) => this.keys.in(tx).removeAll(keys));
    return keys.length;
  }

  private async answerOrStore<Answer>(
    formId: number,
    record: Omit<IdempotencyRecord, 'answer'>,
    store: Store<Answer>,
  ): Promise<Answer> {
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

  private async firstAnswer<Answer>(
    formId: number,
    { keyHash, contentHash }: Omit<IdempotencyRecord, 'answer'>,
  ): Promise<Answer | null> {
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
export function contentOf({ members, files, honeypot }: SentContent): unknown[] {
  return [
    members.map(({ name, json }) => [name, json]),
    files.map(({ field, name, sha256 }) => [field, name, sha256.toString('hex')]),
    honeypot,
  ];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
