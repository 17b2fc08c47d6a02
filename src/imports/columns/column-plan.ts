import { isFieldOf, type Mapping } from '../formats/record.js';
import type { Provider } from '../formats/provider.js';
import type { ImportOptions } from '../model/import-options.js';
import { isNoAnswer, keyOfField, shortened } from './column-names.js';
import { timeColumnOf, type SampledColumn } from './time-column.js';

/** Values of a column that are shown, and the longest one, in characters. */
const SHOWN_MAX = 3;
const SHOWN_CHARS = 80;

/** Use of a column: `known` has what a submission has besides its fields, such as its id. */
type ColumnUse = 'field' | 'time' | 'none' | 'known';

/** A column, and what an import makes of it. */
export interface PlannedColumn {
  name: string;
  use: ColumnUse;
  /** The field that its values become; null for none. */
  field: string | null;
  /** Some of its values. */
  samples: string[];
}

/** The use of all columns of a CSV. */
export interface ColumnPlan {
  columns: PlannedColumn[];
  /** The column of the time; null for none. */
  time: string | null;
  /** The reason for it: somebody chose it, or its name or values say so. */
  timeBy: 'choice' | 'name' | 'values' | null;
  mapping: Mapping;
}

/** Facts that a plan is made from. */
export interface PlannedFor {
  provider: Provider;
  options: Pick<ImportOptions, 'time' | 'columns' | 'into'>;
  /** Longest name of a field, in bytes. */
  nameBytes: number;
}

/**
 * Plans what the columns of a CSV become: as somebody chose, and else the time by name or values, nothing for what is no
 * answer, the field of the form that is called much alike, or a field of their own name, however long.
 */
export function planOf(columns: readonly SampledColumn[], about: PlannedFor): ColumnPlan {
  const { provider, options } = about;
  const chosen = new Map(options.columns);
  const free = columns.filter(({ name }) => !chosen.has(name));
  const found = options.time === null ? timeColumnOf(provider, free) : null;
  const time = options.time ?? found?.name ?? null;
  const timeBy = options.time === null ? (found?.by ?? null) : 'choice';
  const times = time === null ? [] : [time];
  const isField = isFieldOf(provider, true, times);
  const use = ({ name }: SampledColumn): ColumnUse => {
    if (keyIs(name, time)) return 'time';
    if (!isField(name)) return 'known';
    if (chosen.has(name)) return chosen.get(name) === null ? 'none' : 'field';
    return isNoAnswer(name) ? 'none' : 'field';
  };
  const uses = new Map(columns.map((column) => [column.name, use(column)] as const));
  const names = [...uses].flatMap(([name, each]) => (each === 'field' ? [name] : []));
  const fields = fieldsOf(names, chosen, about);
  return {
    columns: columns.map(({ name, samples }) => ({
      name,
      use: uses.get(name) ?? 'field',
      field: fields.get(name) ?? null,
      samples: shownOf(samples),
    })),
    ...{ time, timeBy },
    mapping: {
      times,
      columns: new Map([...uses.keys()].map((name) => [name, fields.get(name) ?? null])),
    },
  };
}

/** Returns the plan of a file whose columns are ours: each is what it says. */
export function plainPlan(
  columns: readonly SampledColumn[],
  { provider, options }: PlannedFor,
): ColumnPlan {
  const times = options.time === null ? provider.time : [options.time];
  const isField = isFieldOf(provider, true, times);
  const chosen = new Map(options.columns);
  const fieldOf = provider.fieldOf ?? ((name: string) => name);
  const planned = columns.map(({ name, samples }): PlannedColumn => {
    const shown = { name, samples: shownOf(samples) };
    if (times.includes(name)) return { ...shown, use: 'time', field: null };
    if (!isField(name)) return { ...shown, use: 'known', field: null };
    const field = chosen.get(name);
    if (field === null) return { ...shown, use: 'none', field };
    return { ...shown, use: 'field', field: field ?? fieldOf(name) };
  });
  const time = times.find((name) => columns.some((column) => column.name === name)) ?? null;
  const timeBy = options.time === null ? 'name' : 'choice';
  return { columns: planned, time, timeBy, mapping: { times, columns: chosen } };
}

/** Gives each column a field: no two get the same one, unless somebody chose it or they are called alike. */
function fieldsOf(
  names: readonly string[],
  chosen: ReadonlyMap<string, string | null>,
  { options, nameBytes }: PlannedFor,
): Map<string, string> {
  const fields = new Map<string, string>();
  const taken = new Set<string>();
  const give = (name: string, field: string) => {
    fields.set(name, field);
    taken.add(field);
  };
  for (const name of names) {
    const field = chosen.get(name) ?? (options.into.includes(name) ? name : undefined);
    if (field !== undefined) give(name, field);
  }
  const likeness = new Map(
    options.into.map((field) => [keyOfField(field), field] as const).reverse(),
  );
  for (const name of names) {
    const field = likeness.get(keyOfField(name));
    if (!fields.has(name) && field !== undefined && !taken.has(field)) give(name, field);
  }
  const left = names.filter((name) => !fields.has(name));
  const short = new Map<string, number>();
  const cut = (name: string) => shortened(name, nameBytes, () => false);
  for (const name of left) short.set(cut(name), (short.get(cut(name)) ?? 0) + 1);
  const isTaken = (field: string) => taken.has(field) || (short.get(field) ?? 0) > 1;
  for (const name of left) give(name, shortened(name, nameBytes, isTaken));
  return fields;
}

function shownOf(samples: readonly string[]): string[] {
  const shown = [...new Set(samples)].slice(0, SHOWN_MAX);
  return shown.map((text) =>
    text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text,
  );
}

function keyIs(name: string, time: string | null): boolean {
  return time !== null && name.toLowerCase() === time.toLowerCase();
}
