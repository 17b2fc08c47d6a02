import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { FormsService } from '../../forms/forms.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { inPortions } from '../../platform/background/portions.js';
import { ErasureService } from './erasure.service.js';
import { EVERYTHING, type SubmissionFilter } from '../filter/submission-filter.js';
import { TrashRepository } from '../trash/trash.repository.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/kernel/time/durations.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { Projections } from '../../projections/projections.js';
import { SubmissionIds } from '../rows/submission-ids.js';

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
        const ids = some
          .filter((each) => each.formId === formId)
          .map(({ submissionId }) => submissionId);
        removed += await this.erasure.removeSome(formId, ids, undefined, (tx, all) =>
          this.trash.in(tx).lockBefore(end, all),
        );
        await this.unitOfWork.run((tx) => this.trash.in(tx).removeBefore(end, ids));
      }
      return some.length;
    }, signal);
    return removed;
  }

  private removeAll(
    formId: number,
    filter: SubmissionFilter,
    signal?: AbortSignal,
  ): Promise<number> {
    return inPortions(
      async (rows) => this.erasure.removeSome(formId, await this.ids.oldest(formId, filter, rows)),
      signal,
    );
  }
}
