import { randomFillSync } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from './time.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const COUNTER_MAX = 0xfff;

const RANDOM_BYTES = 8;

/** Farthest that ids run ahead of the clock for an id of before, in milliseconds: a day. */
const AHEAD_MAX_MS = DAY_MS;

/**
 * Age from which on nothing is stored any more, by the time in its id, in milliseconds. Instances have clocks of their
 * own, and a transaction takes a while.
 */
const SETTLED_MS = 10 * MINUTE_MS;

/** Random bytes for many ids, since each call of the generator costs more than the rest. */
const POOL = Buffer.alloc(RANDOM_BYTES * 512);

let lastMs = 0;

let counter = 0;

let taken = POOL.length;

/**
 * Returns a new time-ordered id: a UUID version 7 (RFC 9562, section 5.7), 16 bytes. Ids made by one
 * process always rise, also within a millisecond and when the clock is set back.
 */
export function makeUuid(): Buffer {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > COUNTER_MAX) {
    lastMs++;
    counter = 0;
  }
  const id = Buffer.allocUnsafe(16);
  takeRandom(id);
  stampUuid(id, lastMs, counter);
  return id;
}

/** Makes a UUID version 7 of 16 random bytes. @param part of the millisecond, in 12 bits: it keeps the order */
export function stampUuid(id: Buffer, ms: number, part: number) {
  id.writeUIntBE(ms, 0, 6);
  id.writeUInt16BE(0x7000 | part, 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
}

/**
 * Makes the next ids rise above one that was made before this process, whose clock may have been ahead. An id farther
 * ahead than a day is ignored: it is of a clock that was wrong, or random, and would date all that comes.
 */
export function continueAfter(id: Buffer) {
  const next = timeOf(id).getTime() + 1;
  if (next <= lastMs || next > Date.now() + AHEAD_MAX_MS) return;
  lastMs = next;
  counter = 0;
}

/** Makes the next ids by the clock alone. @public for the runner of tests, some of which move the clock */
export function forgetIds() {
  lastMs = 0;
}

function takeRandom(id: Buffer) {
  if (taken === POOL.length) {
    randomFillSync(POOL);
    taken = 0;
  }
  POOL.copy(id, id.length - RANDOM_BYTES, taken, taken + RANDOM_BYTES);
  taken += RANDOM_BYTES;
}

/** Returns an id as text, such as `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`. */
export function formatUuid(id: Buffer) {
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the 16 bytes of a UUID as text; null for anything else. */
export function parseUuid(text: string): Buffer | null {
  return UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : null;
}

/** Parses a UUID as people send it, in upper case too; returns null for other text, and for none. */
export function uuidOf(text = ''): Buffer | null {
  return parseUuid(text.toLowerCase());
}

/** Returns when a time-ordered id was made. */
export function timeOf(id: Buffer): Date {
  return new Date(id.readUIntBE(0, 6));
}

/** Lower than any id. */
export const LOWEST_UUID = Buffer.alloc(16);

/** Returns the lowest id that can be made at `time`, to limit a list by time. */
export function firstUuidAt(time: Date): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1), 0, 6);
  return id;
}

/** Returns the time before which every id that is ever stored is stored by now. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - SETTLED_MS);
}

/** Returns a function that tells whether an id is one of these. */
export function among(ids: readonly Buffer[]): (id: Buffer | null) => boolean {
  const known = new Set(ids.map((id) => id.toString('latin1')));
  return (id) => id !== null && known.has(id.toString('latin1'));
}
