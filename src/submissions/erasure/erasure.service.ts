import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import {
  Pace,
  inPortions,
  BackgroundTask,
  type TaskRun,
  Signals,
  settledBefore,
  timeOf,
  DAY_MS,
  HOUR_MS,
  SECOND_MS,
  inSlices,
  Config,
} from '../../platform/index.js';
import { SubmissionNotFound } from '../model/submission.errors.js';
import { submissionTarget } from '../model/sample-submission.js';
import type { Submission } from '../model/submission.entity.js';
import { keyOf, SubmissionIds } from '../rows/submission-ids.js';
import { lockedOf, SubmissionsRepository } from '../rows/submissions.repository.js';
import { digestsOf } from '../model/submitted-values.js';
import { receivedTakenBack, SubmissionBatchesRepository } from '../rows/received.js';
import { Projections } from '../../forms/projections.js';
import { LeftoversRepository, type Dependant, type DependantRow } from './leftovers.repository.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { EVERYTHING, type SubmissionFilter } from '../filter/submission-filter.js';
import { TrashRepository } from '../trash/trash.repository.js';

/** Records a removal of that many submissions, in its transaction. */
type RecordRemoval = (tx: EntityManager, count: number) => Promise<void>;

/** Returns which of these submissions are still to be removed, and locks them. */
type StillMeant = (tx: EntityManager, ids: Buffer[]) => Promise<Buffer[]>;

/** Removes submissions for good, with all that belongs to them. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly projections: Projections,
    private readonly batches: SubmissionBatchesRepository,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async delete(principal: Principal, identifier: string, id: Buffer | null) {
    const form = await this.queries.get(principal, identifier);
    const removed = id
      ? await this.erase(form.id, [id], (tx) =>
          this.audit.recordBy(tx, principal, { action: 'submission.erased', target: submissionTarget(form, id) }),
        )
      : 0;
    if (removed === 0) throw new SubmissionNotFound();
  }

  /**
   * Removes some submissions of a form, in transactions of a limited size in bytes; others get a turn after each.
   * @param record records the removal of so many
   * @param stillMeant leaves out what is not to be removed any more; without it, all are
   * @returns how many
   */
  async removeSome(
    formId: number,
    ids: Buffer[],
    record: RecordRemoval = () => Promise.resolve(),
    stillMeant: StillMeant = (_, all) => Promise.resolve(all),
  ) {
    let removed = 0;
    for await (const some of this.submissions.load(formId, ids)) {
      removed += await this.remove(formId, some, record, stillMeant);
    }
    return removed;
  }

  /** Removes submissions of a form as if they had never come: what statistics counted of them goes too. */
  takeBack(formId: number, ids: Buffer[]) {
    return this.removeSome(formId, ids, undefined, async (tx, some) => {
      const there = await lockedOf(tx, some);
      await this.batches.in(tx).enqueue(receivedTakenBack(there));
      return there.map(({ id }) => id);
    });
  }

  /**
   * Removes submissions of a form portion by portion, at a pace of their own, since somebody waits for it.
   * @param record records each removal
   * @returns how many
   */
  async erase(formId: number, ids: Buffer[], record: RecordRemoval) {
    let [removed, from] = [0, 0];
    await inPortions(
      async (rows) => {
        const some = ids.slice(from, from + rows);
        from += rows;
        removed += await this.removeSome(formId, some, record);
        return some.length;
      },
      undefined,
      new Pace(),
    );
    return removed;
  }

  private async remove(formId: number, submissions: Submission[], record: RecordRemoval, stillMeant: StillMeant) {
    const { removed, afterCommit } = await this.unitOfWork.run(async (tx) => {
      const ids = await stillMeant(
        tx,
        submissions.map(({ id }) => id),
      );
      const keys = new Set(ids.map(keyOf));
      const values = submissions
        .filter(({ id }) => keys.has(keyOf(id)))
        .map((each) => ({ id: each.id, digests: digestsOf(each) }));
      const { removed, counted } = await this.submissions.in(tx).remove(ids);
      if (removed === 0) return { removed };
      const { fileBytes, afterCommit } = await this.projections.forget(tx, { formId, ids, values });
      await record(tx, removed);
      // Last, since the form's visitors wait for its row until the commit. No export made from before opens after it.
      await this.forms.noteErasure(tx, formId, { counted, bytes: fileBytes });
      return { removed, afterCommit };
    });
    if (removed > 0) this.signals.give(FORM_TOPICS.changed, formId);
    await afterCommit?.();
    return removed;
  }
}

/** Rows that are read for each that a portion may remove: nearly all have their submission. */
const LOOKED_FOR_EACH = 5;

/**
 * Removes what is left of submissions and forms that are gone: an older version, which ran beside this one or was
 * gone back to, knows nothing of newer tables.
 */
@Injectable()
export class Leftovers {
  constructor(
    private readonly leftovers: LeftoversRepository,
    private readonly projections: Projections,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Walks through all tables once, in small portions. */
  @BackgroundTask('remove what is left of what is gone', DAY_MS)
  async remove({ now, signal }: TaskRun): Promise<void> {
    for (const table of this.tables()) await this.walk(table, now, signal);
    let after = 0;
    await inPortions(async (rows) => {
      const forms = await this.leftovers.purgedAfter(after, rows);
      const left = forms.length > 0 ? await this.leftovers.formsLeft(forms) : [];
      if (left.length > 0) await this.unitOfWork.run((tx) => this.leftovers.in(tx).purgeAgain(left));
      after = forms.at(-1)?.id ?? after;
      return forms.length;
    }, signal);
  }

  /** Returns the tables with rows of submissions, but for those whose rows stay until they end by themselves. */
  private tables() {
    const staying = new Set(this.projections.tables('areStaying'));
    return this.leftovers.dependants().filter(({ metadata }) => !staying.has(metadata.tableName));
  }

  private async walk(table: Dependant, now: Date, signal?: AbortSignal) {
    let after: DependantRow | undefined;
    await inPortions(async (rows) => {
      const some = await this.leftovers.rowsAfter(table, after, rows * LOOKED_FOR_EACH);
      // What is new may have been read before its submission was stored.
      const end = settledBefore(now);
      const old = some.flatMap(({ submission }) => (submission && timeOf(submission) < end ? [submission] : []));
      const gone = new Set((await this.leftovers.gone(old)).map((id) => id.toString('latin1')));
      const orphans = some.filter(({ submission }) => gone.has(submission?.toString('latin1') ?? ''));
      for (const some of inSlices(orphans, rows)) {
        await this.removeRows(table, some);
      }
      after = some.at(-1);
      return some.length;
    }, signal);
  }

  private async removeRows(table: Dependant, rows: readonly DependantRow[]) {
    const ids = rows.flatMap(({ submission }) => submission ?? []);
    const { afterCommit } = await this.unitOfWork.run(async (tx) => {
      const forgotten = await this.projections.forget(tx, { formId: null, ids, values: [] });
      if (!this.projections.tables('areTakenBack').includes(table.metadata.tableName)) {
        await this.leftovers.in(tx).remove(table, rows);
      }
      return forgotten;
    });
    await afterCommit();
  }
}

/**
 * How long after its deletion a form is purged, in seconds. Until then another instance may serve it from its
 * cache, or a transaction may be running. Longer than a request may take.
 */
const STRAGGLERS_SECONDS = 60;

/** Removes submissions of deleted forms, expired ones and those long in the trash, in small transactions. A restart continues. */
@Injectable()
export class SubmissionPurger {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly erasure: ErasureService,
    private readonly ids: SubmissionIds,
    private readonly projections: Projections,
    private readonly trash: TrashRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Removes the submissions of deleted forms, and whatever else is kept for those. @returns how many submissions */
  @BackgroundTask('purge deleted forms', 5 * SECOND_MS)
  async purgeDeletedForms({ signal }: TaskRun): Promise<number> {
    const requestSeconds = Math.ceil(this.config.http.bodyTimeoutMs / 1000);
    let removed = 0;
    for (const { id } of await this.queries.listUnpurged()) {
      removed += await this.removeAll(id, EVERYTHING, signal);
      const isDone = await this.projections.forgetForm(id, signal);
      if (isDone) await this.forms.markPurged(id, requestSeconds + STRAGGLERS_SECONDS);
    }
    return removed;
  }

  /**
   * Removes submissions that are older than their form keeps them.
   * @returns how many were removed
   */
  @BackgroundTask('apply retention', HOUR_MS)
  async applyRetention({ now, signal }: TaskRun): Promise<number> {
    let removed = 0;
    for (const { id, retentionDays } of await this.queries.listWithRetention()) {
      if (retentionDays === null) continue;
      const to = new Date(now.getTime() - retentionDays * DAY_MS);
      removed += await this.removeAll(id, { ...EVERYTHING, to }, signal);
    }
    return removed;
  }

  /**
   * Removes submissions that are in the trash for longer than TRASH_DAYS; those that somebody restores meanwhile stay.
   * @returns how many were removed
   */
  @BackgroundTask('empty trash', HOUR_MS)
  async emptyTrash({ now, signal }: TaskRun): Promise<number> {
    const { trashDays } = this.config;
    if (trashDays === 0) return 0;
    const end = new Date(now.getTime() - trashDays * DAY_MS);
    let removed = 0;
    await inPortions(async (rows) => {
      const some = await this.trash.before(end, rows);
      for (const formId of new Set(some.map((each) => each.formId))) {
        const ids = some.filter((each) => each.formId === formId).map(({ submissionId }) => submissionId);
        removed += await this.erasure.removeSome(formId, ids, undefined, (tx, all) =>
          this.trash.in(tx).lockBefore(end, all),
        );
        await this.unitOfWork.run((tx) => this.trash.in(tx).removeBefore(end, ids));
      }
      return some.length;
    }, signal);
    return removed;
  }

  private removeAll(formId: number, filter: SubmissionFilter, signal?: AbortSignal) {
    return inPortions(
      async (rows) => this.erasure.removeSome(formId, await this.ids.oldest(formId, filter, rows)),
      signal,
    );
  }
}
