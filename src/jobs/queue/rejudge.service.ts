import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal } from '../../accounts/access/index.js';
import { timeOf } from '../../platform/index.js';
import type { Band } from '../../spam/evidence/verdict.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { selectionFor, Rejudging } from '../changes/rejudging.service.js';
import { assertMayTriage } from '../../triage/marks/triage.service.js';
import type { BulkJob } from './bulk-job.entity.js';
import { BulkJobsService } from './bulk-jobs.service.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';

/** Submissions that a preview judges, the newest ones: whoever asks waits for it. */
const PREVIEW_ROWS_MAX = 1_000;
const CHANGES = { rejudge: true } as const;

/** How many would move from one verdict to another. */
interface Moves {
  from: Band;
  to: Band;
  count: number;
}

/** Preview of checking submissions again for spam. */
export interface RejudgePreview {
  /** How many were judged; the newest. */
  looked: number;
  /** Up to when was looked back; null when that was all. */
  lookedTo: Date | null;
  /** How many stay as they are because of what a person said or did. */
  kept: number;
  /** Those that occur, the largest first. */
  moves: Moves[];
}

/** Judges submissions of a form again, and says before what would move. */
@Injectable()
export class RejudgeService {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly rejudging: Rejudging,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly forms: FormQueries,
  ) {}

  /**
   * Judges the newest of what the filter means, and changes nothing.
   * @throws FormNotFound, FilterUnclear, SearchUnderWay, SearchesBusy, MissingRight, ActionForbidden
   */
  async preview(principal: Principal, identifier: string, line: string): Promise<RejudgePreview> {
    assertMayTriage(principal);
    const form = await this.forms.get(principal, identifier);
    const read = await this.filters.readListed(principal, line);
    const selection = selectionFor(CHANGES, line, read);
    const own = selection.forms.filter(({ id }) => id === form.id);
    if (own.length === 0) throw new FilterUnclear(['form:']);
    const { ids, next } = await this.finder.findFor(
      principal,
      { ...selection, forms: own },
      { order: 'DESC', bound: FROM_NEWEST, limit: PREVIEW_ROWS_MAX },
    );
    const { moves, kept } = await this.rejudging.plan(form.id, ids);
    return { looked: ids.length, lookedTo: next && timeOf(next), kept, moves: countedOf(moves) };
  }

  /**
   * Makes a job that judges again all that the filter means at this moment.
   * @throws FormNotFound, FilterUnclear, TooManyJobs, MissingRight, ActionForbidden
   */
  start(principal: Principal, identifier: string, line: string): Promise<BulkJob> {
    return this.jobs.create(principal, { line, form: identifier, changes: CHANGES });
  }
}

function countedOf(moves: readonly { from: Band; to: Band }[]) {
  const counts = new Map<string, Moves>();
  for (const { from, to } of moves) {
    const known = counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
    known.count++;
    counts.set(`${from} ${to}`, known);
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}
