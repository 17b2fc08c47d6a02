import { parseFilterLine, type FilterState } from '../../submissions/filter/filter-line.js';
import type { Selection } from '../../search/finder/selection.js';
import type { BulkChanges } from './bulk-changes.js';

/** States that say nothing about folders. */
const ANYWHERE: ReadonlySet<FilterState> = new Set<FilterState>(['unread', 'starred', 'answered']);

/** Returns what changes are for: what is judged again is spam too, unless the line names its folders. */
export function selectionFor<Meant extends Selection>(
  { rejudge }: BulkChanges,
  line: string,
  selection: Meant,
): Meant {
  const { is } = parseFilterLine(line, new Date());
  if (rejudge !== true || is.some((state) => !ANYWHERE.has(state))) return selection;
  return { ...selection, filter: { ...selection.filter, spam: null } };
}
