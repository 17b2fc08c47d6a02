import { MalformedBody } from './http.errors.js';

/** Levels of objects and arrays in a body; the deepest that is asked for has three. */
const MAX_LEVELS = 16;

/**
 * Refuses a body that is nested so deeply that whoever walks through it runs out of stack.
 * @throws MalformedBody
 */
export function refuseDeep(body: unknown): void {
  if (hasMoreLevels(body, MAX_LEVELS)) {
    throw new MalformedBody(`The body has more than ${MAX_LEVELS} levels.`);
  }
}

function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => hasMoreLevels(inner, levels - 1));
}
