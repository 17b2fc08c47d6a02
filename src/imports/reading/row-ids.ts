import { hash } from 'node:crypto';
import { parseUuid, timeOf } from '../../platform/kernel/uuid.js';
import type { Moment } from '../times/moments.js';

/** Bytes of a digest that tell rows apart: equal ones of different rows do no harm, they count as alike. */
const KEY_BYTES = 6;
const SLOTS_FIRST = 1 << 12;
const PART_MASK = 0xfff;

/** Facts that identify a row. */
export interface RowIdentity {
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
    const bits = part ?? id.readUInt16BE(6) & PART_MASK;
    id.writeUIntBE(ms, 0, 6);
    id.writeUInt16BE(0x7000 | bits, 6);
    id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
    return Buffer.from(id.subarray(0, 16));
  }

  /** Returns the digest of a row, and how many like it came before: the same may have been sent twice. */
  private occurrenceOf(row: string): string {
    const digest = hash('sha256', row, 'buffer');
    return `row ${digest.toString('hex')} ${this.alike.count(digest.readUIntBE(0, KEY_BYTES))}`;
  }
}

/** Returns what follows the millisecond in an id of our own, which keeps the order; null for other ids. */
export function partOf(externalId: string, ms: number): number | null {
  const id = parseUuid(externalId.toLowerCase());
  return id !== null && timeOf(id).getTime() === ms ? id.readUInt16BE(6) & PART_MASK : null;
}

/** Counts numbers in 12 bytes each, where a map would need eight times as much. */
export class Occurrences {
  private keys = new Float64Array(SLOTS_FIRST);
  private counts = new Uint32Array(SLOTS_FIRST);
  private used = 0;

  /** @returns how often it was counted before */
  count(key: number): number {
    if (this.used * 2 > this.keys.length) this.grow();
    const slot = this.slotOf(key);
    const before = this.counts[slot] ?? 0;
    if (before === 0) this.used++;
    this.keys[slot] = key;
    this.counts[slot] = before + 1;
    return before;
  }

  private slotOf(key: number): number {
    const { length } = this.keys;
    let slot = key % length;
    while (this.counts[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) % length;
    return slot;
  }

  private grow(): void {
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
