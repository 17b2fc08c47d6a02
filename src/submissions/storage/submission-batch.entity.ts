import { Column, Entity } from 'typeorm';
import { UuidKey } from '../../platform/database/index.js';
import { DIGEST_BYTES } from '../model/submitted-values.js';

const ID_BYTES = 16;
const COUNT_BYTES = 4;

/** A submission with the digests of its values; null when they are not made yet. */
export interface BatchEntry {
  id: Buffer;
  digests: string[] | null;
}

/** An entry whose digests are made. */
export type DigestedEntry = BatchEntry & { digests: string[] };

/**
 * Queues work for the value index and the counts: one row per committed batch, with the submissions that were
 * stored or removed. Thus the random inserts into the index do not slow down the commit that a visitor waits for.
 */
@Entity('submission_batches')
export class SubmissionBatch {
  /** A UUID version 7, which rises with time. */
  @UuidKey() id: Buffer;
  /** Ids of the submissions, 16 bytes each. */
  @Column('mediumblob') submissionIds: Buffer;
  /** Written by `pack()`; null when the digests are still to be made from the submissions. */
  @Column('mediumblob', { nullable: true }) digests: Buffer | null;
  /** The form whose submissions were removed; null when they were stored. */
  @Column('int', { nullable: true }) removedFrom: number | null;
  /** Written by `encodeReceived()`; null when nothing is counted. */
  @Column('mediumtext', { nullable: true }) counts: string | null;

  /** Returns `entries` of a batch that has digests. */
  get digestedEntries(): DigestedEntry[] {
    return this.entries.map(({ id, digests }) => ({ id, digests: digests ?? [] }));
  }

  /** Packs, for each submission, the number of its digests in 4 bytes and the digests in 8 bytes each. */
  static pack(digests: readonly (readonly string[])[]): Buffer {
    let hex = '';
    for (const some of digests) {
      hex += some.length.toString(16).padStart(COUNT_BYTES * 2, '0') + some.join('');
    }
    return Buffer.from(hex, 'hex');
  }

  /** Returns the ids in what `submissionIds` has. */
  static unpackIds(bytes: Buffer): Buffer[] {
    return Array.from({ length: bytes.length / ID_BYTES }, (_, index) =>
      bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES),
    );
  }

  get entries(): BatchEntry[] {
    const { digests } = this;
    const ids = SubmissionBatch.unpackIds(this.submissionIds);
    if (!digests) return ids.map((id) => ({ id, digests }));
    // Cut out of one text: bytes of each would take ten times as long.
    const hex = digests.toString('hex');
    let at = 0;
    return ids.map((id) => {
      const count = digests.readUInt32BE(at);
      const begin = 2 * (at + COUNT_BYTES);
      at += COUNT_BYTES + count * DIGEST_BYTES;
      const made = Array.from({ length: count }, (_, index) => {
        const from = begin + 2 * DIGEST_BYTES * index;
        return hex.slice(from, from + 2 * DIGEST_BYTES);
      });
      return { id, digests: made };
    });
  }

  /** Divides the entries so that the first part has at most `limit` digests; it may divide one submission. */
  static divide(entries: readonly DigestedEntry[], limit: number): [DigestedEntry[], DigestedEntry[]] {
    const first: DigestedEntry[] = [];
    const rest: DigestedEntry[] = [];
    let left = limit;
    for (const { id, digests } of entries) {
      if (left > 0 || digests.length === 0) first.push({ id, digests: digests.slice(0, left) });
      if (digests.length > left) rest.push({ id, digests: digests.slice(left) });
      left = Math.max(left - digests.length, 0);
    }
    return [first, rest];
  }

  /** Returns the submissions that may have the value of this digest. */
  idsThatMayHave(digest: string): Buffer[] {
    return this.entries.filter(({ digests }) => digests?.includes(digest) ?? true).map(({ id }) => id);
  }
}
