import { parseFilterLine, type FilterState } from '../../submissions/filter/filter-line.js';
import type { Sought } from '../../search/lines/filter-lines.service.js';
import type { BulkChanges } from './bulk-changes.js';

/** What a line says without saying anything of folders. */
const ANYWHERE: ReadonlySet<FilterState> = new Set<FilterState>(['unread', 'starred', 'answered']);

/** Returns what changes are for: what is judged again is spam too, unless the line names its folders. */
export function soughtFor({ rejudge }: BulkChanges, line: string, sought: Sought): Sought {
  const { is } = parseFilterLine(line, new Date());
  if (rejudge !== true || is.some((state) => !ANYWHERE.has(state))) return sought;
  return { ...sought, filter: { ...sought.filter, spam: null } };
}
