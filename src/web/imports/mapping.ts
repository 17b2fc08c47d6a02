import type { ImportOptions } from '../../imports/model/import-options.js';
import { isTicked, textOf, textsOf, type Typed } from '../parts/typed.js';

/** Most columns that a page lets choose: each has three fields, and a form of a page a thousand at most. */
export const CHOSEN_MAX = 300;

/** Use of a column. */
type Use = 'field' | 'time' | 'none';

/** A column as its row of the form shows it. */
export interface ColumnChoice {
  column: string;
  use: Use;
  /** Name of the field that it becomes. */
  name: string;
}

/** Returns what was chosen for each column of a file. */
export function choicesOf(
  columns: readonly string[],
  { time, columns: chosen }: ImportOptions,
): ColumnChoice[] {
  const names = new Map(chosen);
  return columns.map((column) => {
    const name = names.get(column);
    const use = column === time ? 'time' : name === null ? 'none' : 'field';
    return { column, use, name: name ?? column };
  });
}

/** Reads what the form says of the columns, as the query of the API. */
export function choiceOf(
  provider: string,
  typed: Typed | undefined,
): Record<string, string | undefined> {
  const columns = textsOf(typed, 'column');
  const uses = textsOf(typed, 'use');
  const names = textsOf(typed, 'name');
  const time = columns.find((_, at) => uses[at] === 'time');
  const chosen = columns.flatMap((column, at): [string, string | null][] => {
    const name = (names[at] ?? '').trim();
    if (uses[at] === 'none') return [[column, null]];
    return name === '' || name === column ? [] : [[column, name]];
  });
  const pairs = chosen.map((pair) => pair.map((each) => JSON.stringify(each)).join(':'));
  return {
    ...{ provider, time, columns: `{${pairs.join(',')}}` },
    undated: textOf(typed, 'undated') || undefined,
    unprefix: String(isTicked(typed, 'unprefix')),
    files: isTicked(typed, 'files') ? 'fetch' : 'address',
  };
}
