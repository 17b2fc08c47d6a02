import type { IncomingMessage } from 'node:http';
import { decodedPart } from '../../platform/index.js';
import { peek } from '../../platform/http/index.js';
import type { IntakeAddress } from './dialects.js';

/** Most parts of a body that are looked at: more fields than any submission may have. */
const PARTS_MAX = 20_000;
/** Longest headers of a part that are looked at, in bytes. */
const PART_HEADERS_MAX = 1_024;

/**
 * Looks for the form in the body of a request whose address does not say it, and puts back what it has read.
 * @param maxBytes how far into the body it looks
 * @returns the value of the field; null when none says it
 */
export async function findFormKey(
  request: IncomingMessage,
  address: IntakeAddress,
  maxBytes: number,
): Promise<string | null> {
  const names = keyNames(address);
  const seen: { bytes: number; key: string | null } = { bytes: 0, key: null };
  await peek(request, (body, isWhole) => {
    // Each time at twice as much, so that small pieces cost no more than large ones.
    if (!isWhole && body.bytes < 2 * seen.bytes) return false;
    seen.bytes = body.bytes;
    seen.key = keyIn(body.all.toString('latin1'), names, isWhole);
    return seen.key !== null || seen.bytes >= maxBytes;
  });
  return seen.key === null ? null : decodedPart(seen.key);
}

/** Returns the value of the first of these fields; null while none is there. */
function keyIn(text: string, names: readonly string[], isWhole: boolean) {
  if (text.startsWith('--')) return inParts(text, names);
  if (text.trimStart().startsWith('{')) return inMembers(text, names);
  return inPairs(isWhole ? `&${text}&` : `&${text}`, names);
}

/** Returns the names of the fields that can name the form. */
export function keyNames({ dialects }: IntakeAddress): string[] {
  return dialects.flatMap(({ roles }) => Object.keys(roles).filter((name) => roles[name] === 'key'));
}

/** Finds a field among the parts of a multipart body: passes over each byte once, whatever stands there. */
function inParts(text: string, names: readonly string[]) {
  const delimiter = `\r\n${text.slice(0, text.indexOf('\r\n'))}`;
  let at = 0;
  for (let count = 0; at >= 0 && count < PARTS_MAX; count++) {
    const headersEnd = text.indexOf('\r\n\r\n', at);
    if (headersEnd < 0) return null;
    const from = headersEnd + 4;
    const headers = text.slice(at, Math.min(headersEnd, at + PART_HEADERS_MAX));
    if (names.some((name) => headers.includes(`name="${name}"`))) {
      const end = text.indexOf('\r\n', from);
      if (end > from) return text.slice(from, end);
    }
    at = text.indexOf(delimiter, headersEnd);
  }
  return null;
}

/** Finds a field among urlencoded pairs. @param text which begins with `&`, and ends with it where it is whole */
function inPairs(text: string, names: readonly string[]) {
  return firstValue(names, (name) => {
    const mark = `&${name}=`;
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const from = at + mark.length;
      const end = text.indexOf('&', from);
      if (end > from) return { at, value: text.slice(from, end) };
      if (end < 0) return null;
    }
    return null;
  });
}

/** Finds a field among the members of a JSON text, at any depth. */
function inMembers(text: string, names: readonly string[]) {
  return firstValue(names, (name) => {
    const mark = `"${name}"`;
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const colon = afterBlanks(text, at + mark.length);
      const from = text[colon] === ':' ? afterBlanks(text, colon + 1) : -1;
      if (from < 0 || text[from] !== '"') continue;
      const end = text.indexOf('"', from + 1);
      if (end < 0) return null;
      const value = text.slice(from + 1, end);
      if (value !== '' && !value.includes('\\')) return { at, value };
    }
    return null;
  });
}

/** Returns the value that stands first. */
function firstValue(names: readonly string[], find: (name: string) => { at: number; value: string } | null) {
  const found = names.flatMap((name) => find(name) ?? []);
  return found.sort((one, other) => one.at - other.at)[0]?.value ?? null;
}

function afterBlanks(text: string, from: number) {
  let at = from;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++;
  return at;
}
