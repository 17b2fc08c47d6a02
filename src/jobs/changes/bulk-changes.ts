import type { Marks } from '../../triage/marks/triage.service.js';

/** Changes to many submissions. Absent fields stay as they are. */
export interface BulkChanges extends Partial<Marks> {
  spam?: boolean;
  trash?: boolean;
  /** As `parseTag` returns it. */
  addTag?: string;
  removeTag?: string;
  /** True, and nothing else: each is judged again. */
  rejudge?: true;
  /** Id of the person that they are assigned to; null for nobody. */
  assignee?: number | null;
}

/** Returns the names of what is changed. */
export function namesOf(changes: BulkChanges): (keyof BulkChanges)[] {
  const names = Object.keys(changes) as (keyof BulkChanges)[];
  return names.filter((name) => changes[name] !== undefined);
}
