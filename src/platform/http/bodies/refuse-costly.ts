import { MalformedBody } from '../errors/http.errors.js';

/** Deepest nesting of a body; routes need three levels. */
const MAX_LEVELS = 16;
/** Most objects and members in a body; checking an unknown one takes some 60 microseconds. */
const MAX_MEMBERS = 1_000;
/** Most elements of arrays in a body; twice the longest list that a route takes, the ids of forms. */
const MAX_ELEMENTS = 20_000;

/**
 * Refuses a body that would take long to check, or exhaust the stack.
 * @throws MalformedBody
 */
export function refuseCostly(body: unknown): void {
  const left = { members: MAX_MEMBERS, elements: MAX_ELEMENTS };
  walk(body, MAX_LEVELS, left);
}

function walk(value: unknown, levels: number, left: { members: number; elements: number }): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw new MalformedBody(`The body has more than ${MAX_LEVELS} levels.`);
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (Array.isArray(value)) left.elements -= inner.length;
  else left.members -= inner.length + 1;
  if (left.members < 0) throw new MalformedBody(`The body has more than ${MAX_MEMBERS} fields.`);
  if (left.elements < 0) {
    throw new MalformedBody(`The lists of the body have more than ${MAX_ELEMENTS} entries.`);
  }
  for (const each of inner) walk(each, levels - 1, left);
}
