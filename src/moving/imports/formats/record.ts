import { jsonMembers, type JsonMember } from '../../../platform/kernel/text/json-text.js';
import type { Provider } from './index.js';

/** A submission as an export has it. */
export interface ExportedRecord {
  fields: JsonMember[];
  /** As it is written; null without one. */
  time: string | null;
  /** Null without one. */
  id: string | null;
  spam: boolean;
  /** Whether it was in the trash there. */
  trash: boolean;
  origin: string | null;
  referer: string | null;
  userAgent: string | null;
}

/** Choice of what the columns of a file are. */
export interface Mapping {
  /** Columns of the time, the first that has one counts. */
  times: readonly string[];
  /** Columns with their new names; null for those that are left out. */
  columns: ReadonlyMap<string, string | null>;
}

const YES = new Set(['true', 'yes', '1', 'spam']);

/** Finds in a row what the provider keeps where, and takes the rest as fields. */
export function recordOf(
  provider: Provider,
  row: readonly JsonMember[],
  isCsv: boolean,
  { times, columns }: Mapping,
): ExportedRecord {
  const { spam, referer, userAgent, origin = [], isOurs = false } = provider;
  const ids = idsOf(provider, isCsv);
  const nested = row.find(({ name, json }) => provider.fields.includes(name) && isObject(json));
  const within = nested ? jsonMembers(nested.json) : row;
  const all = nested ? [...row, ...within] : row;
  const first = (names: readonly string[]) => textOfFirst(all, names, isOurs);
  // Values of our own exports have no columns of ours among them.
  const isField = isOurs && nested ? () => true : isFieldOf(provider, isCsv, times);
  const fieldOf = provider.fieldOf ?? ((name) => name);
  return {
    fields: within
      .filter(({ name }) => isField(name))
      .flatMap((each) => mapped(each, columns, fieldOf)),
    time: first(times),
    id: first(ids),
    spam: row.some(({ name, json }) => spam.includes(name) && saysYes(json)),
    trash: isOurs && row.some(({ name, json }) => name === 'trash' && saysYes(json)),
    origin: first(origin),
    referer: first(referer),
    userAgent: first(userAgent),
  };
}

/** Returns the time of a row, as it is written; null without one. */
export function timeOf(
  provider: Provider,
  row: readonly JsonMember[],
  isCsv: boolean,
  mapping: Mapping,
): string | null {
  // Cells of a CSV have nothing within them, and most rows of a file are asked for nothing else.
  if (!isCsv) return recordOf(provider, row, isCsv, mapping).time;
  return textOfFirst(row, mapping.times, provider.isOurs === true);
}

/** Returns a test for the names that are fields, and nothing else that we know of a submission. */
export function isFieldOf(
  provider: Provider,
  isCsv: boolean,
  times: readonly string[],
): (name: string) => boolean {
  const { spam, leftOut, referer, userAgent, origin = [], isOurs = false } = provider;
  const ids = idsOf(provider, isCsv);
  const known = [...times, ...ids, ...spam, ...leftOut, ...referer, ...userAgent, ...origin];
  return isNoneOf(known, isOurs);
}

function idsOf({ id, idInCsv = [] }: Provider, isCsv: boolean): readonly string[] {
  return isCsv ? [...id, ...idInCsv] : id;
}

function mapped(
  member: JsonMember,
  columns: Mapping['columns'],
  fieldOf: (column: string) => string,
): JsonMember[] {
  const name = columns.get(member.name);
  return name === null ? [] : [{ ...member, name: name ?? fieldOf(member.name) }];
}

/** Returns a test for names that are none of these, in any case of letters unless they are exact. */
function isNoneOf(names: readonly string[], isExact: boolean): (name: string) => boolean {
  const known = new Set(names.map((name) => keyOf(name, isExact)));
  return (name) => !known.has(keyOf(name, isExact));
}

function keyOf(name: string, isExact: boolean): string {
  return isExact ? name : name.toLowerCase();
}

/** Returns the text of the first of these columns that has one. */
function textOfFirst(
  row: readonly JsonMember[],
  names: readonly string[],
  isExact: boolean,
): string | null {
  for (const wanted of names) {
    const found = row.find(({ name }) => keyOf(name, isExact) === keyOf(wanted, isExact));
    const text = found ? textOf(found.json) : '';
    if (text !== '') return text;
  }
  return null;
}

function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? json : '';
}

function isObject(json: string): boolean {
  return json.startsWith('{');
}

function saysYes(json: string): boolean {
  const value: unknown = JSON.parse(json);
  const said: unknown = isObject(json) ? (value as { spam?: unknown }).spam : value;
  return YES.has(typeof said === 'string' ? said.trim().toLowerCase() : JSON.stringify(said));
}
