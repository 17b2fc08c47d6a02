import type { Marks } from '../../triage/marks/triage.service.js';

/** What is changed of many submissions; what is not given stays. */
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
