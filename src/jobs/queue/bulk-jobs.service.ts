import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { ListedSelection } from '../../search/finder/selection.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import type { Count } from '../../submissions/rows/submissions.repository.js';
import { filterPart, withParts } from '../../submissions/filter/filter-line.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import {
  FilterUnclear,
  JobNotFound,
  NothingToChange,
  TooManyJobs,
} from '../../submissions/model/submission.errors.js';
import { selectionFor } from '../changes/rejudge-filter.js';
import { namesOf, type BulkChanges } from '../changes/bulk-changes.js';
import { assertMayChange, BulkService } from '../changes/bulk.service.js';
import { assertMayTriage } from '../../triage/marks/triage.service.js';
import { BulkJob } from './bulk-job.entity.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/time/durations.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';

/** Most jobs of an account, or of one of its clients, that are under way at once. */
export const OPEN_MAX = 20;
/** Most jobs that a list shows. */
const LISTED_MAX = 100;
/** Days that a job is kept after its end. */
export const KEPT_DAYS = 7;

/** Task of a job. */
export interface BulkTask {
  line: string;
  /** The form that alone is meant; null for all that the line means. */
  form: string | null;
  changes: BulkChanges;
}

/** Makes, shows and stops jobs that change all submissions which a filter means. */
@Injectable()
export class BulkJobsService {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly ids: SubmissionIds,
    private readonly forms: FormsService,
    private readonly bulk: BulkService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes a job for what the filter means at this moment; workers begin with it within a second or so.
   * @throws FilterUnclear, FormNotFound, NothingToChange, TooManyJobs, UnknownAssignee
   * @throws MissingRight, ActionForbidden for all but `read`, without the right to triage
   */
  async create(principal: Principal, { line, form, changes }: BulkTask): Promise<BulkJob> {
    assertMayChange(principal, changes);
    const names = namesOf(changes);
    if (names.length === 0) throw new NothingToChange();
    await this.bulk.assertKnown(principal, changes);
    const upTo = await this.ids.end();
    const selection = await this.selectionIn(principal, line, form, changes);
    const { count, isExact } = await this.finder.count(principal, selection, upTo);
    const total = isExact ? count : null;
    const formIds = selection.forms.map(({ id }) => id);
    const full = form === null ? line : withParts(line, 'form', [filterPart('form', form)]);
    return this.unitOfWork.run(async (tx) => {
      if ((await this.jobs.in(tx).countOpen(principal)) >= OPEN_MAX)
        throw new TooManyJobs(OPEN_MAX);
      const job = BulkJob.create(principal, { line: full, formIds, changes, upTo }, total);
      await this.jobs.in(tx).insert(job);
      await this.audit.recordBy(tx, principal, {
        action: 'job.created',
        target: targetOf(job),
        details: { settings: names.join(','), count: total },
      });
      return job;
    });
  }

  /** @throws JobNotFound */
  async show(scope: Scope, id: Buffer | null): Promise<BulkJob> {
    const job = id && (await this.jobs.find(scope, id));
    if (!job) throw new JobNotFound();
    return job;
  }

  /** Returns the newest jobs, newest first. */
  list(scope: Scope): Promise<BulkJob[]> {
    return this.jobs.listFor(scope, LISTED_MAX);
  }

  /** Returns the newest jobs that are not over, newest first. */
  listOpen(scope: Scope, limit: number): Promise<BulkJob[]> {
    return this.jobs.listOpen(scope, limit);
  }

  /**
   * Counts what a job would go through, for whoever is about to make it, as far as that takes a moment.
   * @throws FilterUnclear
   * @throws MissingRight, ActionForbidden for all but `read`, without the right to triage
   */
  async count(principal: Principal, line: string, changes: BulkChanges): Promise<Count> {
    assertMayChange(principal, changes);
    const selection = selectionFor(changes, line, await this.filters.read(principal, line));
    return this.finder.count(principal, selection, await this.ids.end());
  }

  /**
   * Stops a job; what it has done stays. One that is over stays as it is.
   * @throws JobNotFound
   * @throws MissingRight, ActionForbidden for another's job, without the right to triage
   */
  async stop(principal: Principal, id: Buffer | null): Promise<BulkJob> {
    const job = await this.show(principal, id);
    if (!job.isBy(principal.actor)) assertMayTriage(principal);
    if (!job.isOpen) return job;
    await this.unitOfWork.run(async (tx) => {
      await this.jobs.in(tx).stop(job, this.unitOfWork.now());
      await this.audit.recordBy(tx, principal, { action: 'job.stopped', target: targetOf(job) });
    });
    return this.show(principal, id);
  }

  /** Removes jobs that ended more than KEPT_DAYS ago. @returns how many */
  @BackgroundTask('forget jobs that are over', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const moment = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return inPortions(
      () => this.unitOfWork.run((tx) => this.jobs.in(tx).removeEndedBefore(moment)),
      signal,
    );
  }

  private async selectionIn(
    principal: Principal,
    line: string,
    identifier: string | null,
    changes: BulkChanges,
  ): Promise<ListedSelection> {
    const selection = selectionFor(changes, line, await this.filters.readListed(principal, line));
    if (identifier === null) return selection;
    const only = await this.forms.get(principal, identifier);
    const forms = selection.forms.filter(({ id }) => id === only.id);
    if (forms.length === 0) throw new FilterUnclear(['form:']);
    return { ...selection, forms };
  }
}

function targetOf({ id }: BulkJob) {
  return { kind: 'job', id: formatUuid(id), name: null };
}
