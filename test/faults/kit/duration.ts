/** `FAULTS=full` asks for the full length of every fault; otherwise most of them are shortened. */
const IS_FULL = process.env.FAULTS === 'full';

/** How long or how often: as it is in full, and as it is by default. */
export function inFull<T>(full: T, byDefault: T): T {
  return IS_FULL ? full : byDefault;
}
