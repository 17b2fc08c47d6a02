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

/** Finds in the rows of a file what the provider keeps where, and takes the rest as fields. */
export class Records {
  private readonly isField: (name: string) => boolean;
  private readonly isExact: boolean;

  constructor(
    private readonly provider: Provider,
    private readonly isCsv: boolean,
    private readonly mapping: Mapping,
  ) {
    this.isField = isFieldOf(provider, isCsv, mapping.times);
    this.isExact = provider.isOurs === true;
  }

  of(row: readonly JsonMember[]): ExportedRecord {
    const { spam, referer, userAgent, origin = [], fields } = this.provider;
    const nested = row.find(({ name, json }) => fields.includes(name) && isObject(json));
    const within = nested ? jsonMembers(nested.json) : row;
    const all = nested ? [...row, ...within] : row;
    const first = (names: readonly string[]) => textOfFirst(all, names, this.isExact);
    // Values of our own exports have no columns of ours among them.
    const isOnlyFields = this.isExact && nested !== undefined;
    return {
      fields: within
        .filter(({ name }) => isOnlyFields || this.isField(name))
        .flatMap((member) => this.mapped(member)),
      time: first(this.mapping.times),
      id: first(idsOf(this.provider, this.isCsv)),
      spam: row.some(({ name, json }) => spam.includes(name) && saysYes(json)),
      trash: this.isExact && row.some(({ name, json }) => name === 'trash' && saysYes(json)),
      origin: first(origin),
      referer: first(referer),
      userAgent: first(userAgent),
    };
  }

  /** Returns the time of a row, as it is written; null without one. */
  timeOf(row: readonly JsonMember[]): string | null {
    // Cells of a CSV have nothing within them, and most rows of a file are asked for nothing else.
    return this.isCsv ? textOfFirst(row, this.mapping.times, this.isExact) : this.of(row).time;
  }

  private mapped(member: JsonMember): JsonMember[] {
    const name = this.mapping.columns.get(member.name);
    return name === null ? [] : [{ ...member, name: name ?? member.name }];
  }
}

/** Returns a test for the names that are fields, and nothing else that we know of a submission. */
export function isFieldOf(
  provider: Provider,
  isCsv: boolean,
  times: readonly string[],
): (name: string) => boolean {
  const { spam, leftOut, referer, userAgent, origin = [], isOurs = false } = provider;
  const ids = idsOf(provider, isCsv);
  const known = new Set(
    [...times, ...ids, ...spam, ...leftOut, ...referer, ...userAgent, ...origin].map((name) =>
      keyOf(name, isOurs),
    ),
  );
  return (name) => !known.has(keyOf(name, isOurs));
}

function idsOf({ id, idInCsv = [] }: Provider, isCsv: boolean): readonly string[] {
  return isCsv ? [...id, ...idInCsv] : id;
}

/** Returns what names are compared by: in any case of letters, unless they are exact. */
export function keyOf(name: string, isExact: boolean): string {
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
