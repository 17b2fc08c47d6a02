import { RE2JS } from 're2js';

/** Longest pattern, in characters. */
export const PATTERN_MAX = 500;
/** Most steps of a compiled pattern: each character of a value can take as many. */
const STEPS_MAX = 1_000;
/** Most compiled patterns in memory, of all forms together. */
const COMPILED_MAX = 200;

/** The compiled patterns: each submission asks anew. */
const COMPILED = new Map<string, RE2JS | null>();

/**
 * Tells whether a text can be a pattern: a regular expression as the `pattern` of HTML has it, without look-around
 * and back references. We match in time that grows with the text alone, so no pattern can keep others waiting.
 */
export function isPattern(text: string): boolean {
  // A character can take two places in the text.
  return text.length <= 2 * PATTERN_MAX && compiled(text) !== null;
}

/** Tells whether a pattern matches all of a text. It matches none if it is no pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiled(pattern)?.matches(text) ?? false;
}

function compiled(pattern: string): RE2JS | null {
  const known = COMPILED.get(pattern);
  if (known !== undefined) return known;
  if (COMPILED.size >= COMPILED_MAX) COMPILED.clear();
  const made = compile(pattern);
  COMPILED.set(pattern, made);
  return made;
}

/** Takes what browsers and the engine both take: each has some syntax that the other reads in another way. */
function compile(pattern: string): RE2JS | null {
  try {
    new RegExp(pattern, 'u');
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return expression.programSize() <= STEPS_MAX ? expression : null;
  } catch {
    return null;
  }
}
