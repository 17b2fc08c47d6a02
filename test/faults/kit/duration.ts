/** `FAULTS=full` asks for the full length of every fault; otherwise most of them are shortened. */
const IS_FULL = process.env.FAULTS === 'full';

/** Returns the duration or number for FAULTS=full, or the one by default. */
export function inFull<T>(full: T, byDefault: T): T {
  return IS_FULL ? full : byDefault;
}
