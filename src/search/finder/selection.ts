import type { Scope } from '../../access/principal.js';
import type { FormSummary } from '../../forms/form-queries.service.js';
import type { SubmissionFilter } from '../../submissions/filter/submission-filter.js';

/** Says what somebody looks for: what a filter means in forms that a scope sees. */
export interface Selection {
  scope: Scope;
  /** Null: all that the scope sees, where they are too many to be listed. */
  forms: readonly FormSummary[] | null;
  filter: SubmissionFilter;
}

/** A selection whose forms are known, however many. */
export interface ListedSelection extends Selection {
  forms: readonly FormSummary[];
}
