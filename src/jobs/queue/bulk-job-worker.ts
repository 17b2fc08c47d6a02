import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import { DomainError } from '../../platform/kernel/errors.js';
import type { ListedSelection } from '../../search/finder/selection.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { withParts } from '../../submissions/filter/filter-line.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { NoLongerAllowed } from '../../submissions/model/submission.errors.js';
import type { BulkChanges } from '../changes/bulk-changes.js';
import { assertMayChange, BulkService } from '../changes/bulk.service.js';
import { selectionFor } from '../changes/rejudge-filter.js';
import { Rejudging, type RejudgePlan } from '../changes/rejudging.service.js';
import type { BulkJob } from './bulk-job.entity.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { jobsOf, type LeasedJob } from './job-leases.js';
import { MakerRights } from './maker-rights.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';

/** Submissions that are looked at for a portion: a filter that few fit takes several. */
const LOOKED_ROWS = 2_000;
/** Time after which another job has its turn, in milliseconds. */
const TURN_MS = 1_000;

/** Changes of one portion of a job. */
interface Portion {
  /** @returns how many were changed */
  apply(tx: EntityManager): Promise<number>;
  /** Tells others, after the transaction. */
  tell(): void;
}

/**
 * Works on jobs, portion by portion. Each portion is committed together with the position of its job, so
 * whoever goes on after a kill begins exactly behind it. Workers on one database claim jobs with a lease; a
 * portion is only committed while the lease is held.
 */
@Injectable()
export class BulkJobWorker {
  private readonly logger = new Logger(BulkJobWorker.name);

  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly bulk: BulkService,
    private readonly rejudging: Rejudging,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly forms: FormsService,
    private readonly rights: MakerRights,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Works on jobs until there are none, each for a while. */
  @BackgroundTask('change what filters mean', SECOND_MS)
  work({ signal }: TaskRun): Promise<void> {
    return jobsOf('change', this.jobs, this.unitOfWork).each((leased) => this.turn(leased), signal);
  }

  private async turn({ row: job, token, unwanted }: LeasedJob): Promise<void> {
    const end = performance.now() + TURN_MS;
    await inPortions(async (rows) => {
      const isHeld = await this.portionOrFailure(job, token, rows);
      return isHeld && job.isOpen && performance.now() < end ? 1 : 0;
    }, unwanted);
  }

  /** @returns false when the lease was lost */
  private async portionOrFailure(job: BulkJob, token: Buffer, rows: number): Promise<boolean> {
    try {
      return await this.portion(job, token, rows);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      job.fail(error, this.unitOfWork.now());
      this.logger.log('A job of changes was ended', { code: error.code });
      return this.unitOfWork.run((tx) => this.jobs.in(tx).advance(job, token));
    }
  }

  private async portion(job: BulkJob, token: Buffer, rows: number): Promise<boolean> {
    const { changes, upTo } = job;
    const { principal, selection } = await this.selectionNow(job);
    const { ids, next } = await this.finder.find(selection, {
      order: 'ASC',
      bound: ['>', job.position],
      limit: rows,
      searchedMax: LOOKED_ROWS,
    });
    const meant = ids.filter((id) => id.compare(upTo) <= 0);
    const work = await this.plan(principal, selection, meant, changes);
    job.advance({ done: meant.length, position: next }, this.unitOfWork.now());
    const changed = await this.unitOfWork.run(async (tx) => {
      // First, since whoever stops the job waits for its row then.
      if (!(await this.jobs.in(tx).advance(job, token))) return null;
      const count = await work.apply(tx);
      await this.jobs.in(tx).addChanged(job, count);
      return count;
    });
    work.tell();
    job.changed += changed ?? 0;
    return changed !== null;
  }

  /** Finds out what a portion changes. */
  private async plan(
    principal: Principal,
    { forms }: ListedSelection,
    ids: readonly Buffer[],
    changes: BulkChanges,
  ): Promise<Portion> {
    if (changes.rejudge !== true) {
      const plan = await this.bulk.plan(principal, forms, ids, changes);
      return {
        apply: async (tx) => (await this.bulk.apply(tx, principal, plan, changes)).length,
        tell: () => {
          this.bulk.tell(plan);
        },
      };
    }
    const plans: RejudgePlan[] = [];
    for (const { id } of [...forms].sort((a, b) => a.id - b.id)) {
      plans.push(await this.rejudging.plan(id, ids));
    }
    return {
      apply: async (tx) => {
        let moved = 0;
        for (const plan of plans) moved += await this.rejudging.apply(tx, plan);
        return moved;
      },
      tell: () => {
        for (const plan of plans) this.rejudging.tell(plan);
      },
    };
  }

  /**
   * Reads the filter of a job as of when it was made, with the rights of now.
   * @throws NoLongerAllowed, MissingRight, ActionForbidden
   */
  private async selectionNow({
    maker,
    changes,
    line,
    createdAt,
    formIds,
  }: BulkJob): Promise<{ principal: Principal; selection: ListedSelection }> {
    const principal = await this.rights.now(maker);
    if (!principal) throw new NoLongerAllowed();
    principal.assertHas('submissions:read');
    assertMayChange(principal, changes);
    // The forms are known; they may have other names now.
    const rest = withParts(line, 'form', []);
    const read = await this.filters.readListed(principal, rest, createdAt);
    const selection = selectionFor(changes, rest, read);
    const ofJob = new Set(formIds);
    const seen = selection.forms.filter(({ id }) => ofJob.has(id));
    if (seen.length < formIds.length) await this.assertDeleted(formIds, seen);
    return { principal, selection: { ...selection, forms: seen } };
  }

  /** @throws NoLongerAllowed when a form that is not seen any more is still there */
  private async assertDeleted(
    formIds: readonly number[],
    seen: readonly { id: number }[],
  ): Promise<void> {
    for (const formId of formIds) {
      if (seen.some(({ id }) => id === formId)) continue;
      if (await this.forms.find(formId)) throw new NoLongerAllowed();
    }
  }
}
