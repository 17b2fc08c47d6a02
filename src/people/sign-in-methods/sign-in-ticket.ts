/** Length of what identifies a sign-in: an id, or random bytes. */
export const SEED_BYTES = 16;
/** Longest path that is kept, in bytes: a cookie has 4096 at most, and base64 makes it a third longer. */
const NEXT_MAX_BYTES = 2_048;

/** Data of an unfinished sign-in in a signed cookie of the browser. */
export interface Ticket {
  requestId: Buffer;
  /** Whether others use the device too. */
  isShared: boolean;
  /** Where to go on, a path of this service. */
  next: string;
}

/** Returns a ticket as bytes to be signed. A path that is too long is left out. */
export function writeTicket({ requestId, isShared, next }: Ticket): Buffer {
  const path = Buffer.from(next);
  const kept = path.length > NEXT_MAX_BYTES ? Buffer.from('/') : path;
  return Buffer.concat([requestId, Buffer.from([isShared ? 1 : 0]), kept]);
}

/** Reads what `writeTicket` wrote. */
export function readTicket(bytes: Buffer): Ticket {
  return {
    requestId: Buffer.from(bytes.subarray(0, SEED_BYTES)),
    isShared: bytes[SEED_BYTES] === 1,
    next: bytes.subarray(SEED_BYTES + 1).toString(),
  };
}
