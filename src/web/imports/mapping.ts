import type { ImportOptions } from '../../moving/imports/model/import-options.js';
import { isTicked, textOf, textsOf, type Typed } from '../parts/typed.js';

/** Most columns that a page lets choose: each has three fields, and a form of a page a thousand at most. */
export const CHOSEN_MAX = 300;

/** Reads what the form says of how a file is read, as the query of the API. */
export function choiceOf(
  { provider, encoding: former }: Pick<ImportOptions, 'provider' | 'encoding'>,
  typed: Typed | undefined,
): Record<string, string | undefined> {
  const encoding = textOf(typed, 'encoding');
  return {
    provider,
    // In another encoding columns have other names.
    ...(encoding === (former ?? '') && columnsOf(typed)),
    encoding: encoding || undefined,
    dates: textOf(typed, 'dates') || undefined,
    undated: textOf(typed, 'undated') || undefined,
    unprefix: String(isTicked(typed, 'unprefix')),
    files: isTicked(typed, 'files') ? 'fetch' : 'address',
  };
}

function columnsOf(typed: Typed | undefined): { time: string | undefined; columns: string } {
  const columns = textsOf(typed, 'column');
  const uses = textsOf(typed, 'use');
  const names = textsOf(typed, 'name');
  const time = columns.find((_, at) => uses[at] === 'time');
  const chosen = columns.flatMap((column, at): [string, string | null][] => {
    if (uses[at] === 'none') return [[column, null]];
    return uses[at] === 'field' ? [[column, (names[at] ?? '').trim() || column]] : [];
  });
  const pairs = chosen.map((pair) => pair.map((each) => JSON.stringify(each)).join(':'));
  return { time, columns: `{${pairs.join(',')}}` };
}
