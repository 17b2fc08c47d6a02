import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  Hooks,
  JobFails,
  JobOf,
  type Turn,
  inPortions,
  BackgroundTask,
  type DomainError,
  SECOND_MS,
  HOUR_MS,
  formatUuid,
} from '../../platform/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { type Job, UnitOfWork } from '../../platform/database/index.js';
import { BulkJob } from './bulk-job.entity.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { ActionForbidden, type Principal, type Scope, MakerRights } from '../../accounts/access/index.js';
import type { ExportLayout } from '../exports/export-file.js';
import { formTarget } from '../../forms/model/form-changes.js';
import type { ListedSelection, Selection } from '../../search/finder/selection.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { withParts, filterPart } from '../../submissions/filter/filter-line.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import {
  NoLongerAllowed,
  FilterUnclear,
  JobNotFound,
  NothingToChange,
} from '../../submissions/model/submission.errors.js';
import { type BulkChanges, namesOf } from '../changes/bulk-changes.js';
import { assertMayChange, BulkService } from '../changes/bulk.service.js';
import { selectionFor, Rejudging, type RejudgePlan } from '../changes/rejudging.service.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import type { Count } from '../../submissions/rows/submissions.repository.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { assertMayTriage } from '../../triage/marks/triage.service.js';

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
 * Changes what filters mean, portion by portion. Each portion is committed together with the position of its job, so
 * whoever goes on after a kill begins exactly behind it, and only while the job was not lost.
 */
@Injectable()
export class BulkJobWorker {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly bulk: BulkService,
    private readonly rejudging: Rejudging,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly forms: FormQueries,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Works on a job for a while. */
  @JobOf({ kind: 'change', everyMs: SECOND_MS })
  async work(turn: Turn): Promise<void> {
    const job = await this.unitOfWork.run((tx) => this.jobs.in(tx).begin(turn.job));
    if (!job) return;
    const end = performance.now() + TURN_MS;
    await inPortions(async (rows) => {
      const isHeld = await this.portion(job, turn, rows);
      return isHeld && job.isOpen && performance.now() < end ? 1 : 0;
    }, turn.unwanted);
    if (job.isOpen) turn.next = turn.job.nextAt;
  }

  /** Ends a job because of a rule that it would break, or that was given up. */
  @JobFails(['change', 'export'])
  async fail(tx: EntityManager, { subject }: Job, error: DomainError): Promise<void> {
    const jobs = this.jobs.in(tx);
    const job = await jobs.begin({ subject });
    job?.fail(error, this.unitOfWork.now());
    if (job) await jobs.advance(job);
  }

  /** @returns false when the job was lost */
  private async portion(job: BulkJob, turn: Turn, rows: number) {
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
      if (!(await turn.keep(tx)) || !(await this.jobs.in(tx).advance(job))) return null;
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
    const principal = await this.hooks.ask(MakerRights, maker);
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
  private async assertDeleted(formIds: readonly number[], seen: readonly { id: number }[]) {
    for (const formId of formIds) {
      if (seen.some(({ id }) => id === formId)) continue;
      if (await this.forms.find(formId)) throw new NoLongerAllowed();
    }
  }
}

/** Most jobs that a list shows. */
const LISTED_MAX = 100;

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
    private readonly forms: FormQueries,
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
    const selection = await this.selectionIn(principal, line, form, changes);
    const { upTo, total } = await this.counted(principal, selection);
    const formIds = selection.forms.map(({ id }) => id);
    const full = form === null ? line : withParts(line, 'form', [filterPart('form', form)]);
    return this.unitOfWork.run(async (tx) => {
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

  /**
   * Makes a job that exports what the filter means in a form at this moment; workers begin with it within a second or so.
   * @throws FormNotFound, FilterUnclear, TooManyJobs, ActionForbidden
   */
  async createExport(principal: Principal, identifier: string, line: string, layout: ExportLayout): Promise<BulkJob> {
    if (!principal.may('export')) throw new ActionForbidden('export');
    const form = await this.forms.get(principal, identifier);
    const filter = await this.filters.readFor(principal, identifier, line);
    const selection = { scope: principal, forms: [form], filter };
    const { upTo, total } = await this.counted(principal, selection);
    return this.unitOfWork.run(async (tx) => {
      const task = { formId: form.id, layout };
      const job = BulkJob.create(principal, { line, formIds: [form.id], changes: {}, upTo, export: task }, total);
      await this.jobs.in(tx).insert(job);
      await this.audit.recordBy(tx, principal, {
        action: 'submissions.exported',
        target: formTarget(form),
        details: { format: layout.format },
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

  /** Goes on with jobs that instances of the version before made, once those are gone. */
  @BackgroundTask('adopt jobs', HOUR_MS)
  adopt(): Promise<void> {
    return this.unitOfWork.run((tx) => this.jobs.in(tx).adopt());
  }

  /** Counts what is selected up to now. @returns also a total, null where the count is not exact */
  private async counted(principal: Principal, selection: Selection) {
    const upTo = await this.ids.end();
    const { count, isExact } = await this.finder.count(principal, selection, upTo);
    return { upTo, count, total: isExact ? count : null };
  }

  private async selectionIn(principal: Principal, line: string, identifier: string | null, changes: BulkChanges) {
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
