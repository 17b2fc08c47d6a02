import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kernel/time/durations.js';
import { inPortions } from '../../platform/background/portions.js';
import { BulkJobsRepository } from '../queue/bulk-jobs.repository.js';
import { ExportStore } from '../../exports/export-store.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import {
  Projected,
  type Erased,
  type Forgotten,
  type Projection,
} from '../../projections/projection.js';

/** Hours that the file of an export is kept. */
const KEPT_HOURS = 24;

/** Removes the files of exports: when they expire, and once something that may be in them was erased. */
@Injectable()
@Projected({ tables: [] })
export class ExportFiles implements Projection {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly store: ExportStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns until when the file of an export that ended then is kept. */
  static expiryOf(endedAt: Date): Date {
    return new Date(endedAt.getTime() + KEPT_HOURS * HOUR_MS);
  }

  /** Removes all files of a form's exports once it is committed. None of them can be opened any more by then. */
  forget(_: EntityManager, { formId }: Erased): Promise<Forgotten> {
    if (formId === null) return Promise.resolve({});
    return Promise.resolve({ afterCommit: () => this.forgetForm(formId) });
  }

  async forgetForm(formId: number): Promise<void> {
    if (!(await this.jobs.hasFilesOf(formId))) return;
    // Not in turns with the background: this may be a part of a piece of it.
    while ((await this.removeSome((jobs) => jobs.forgetFilesOf(formId))) > 0);
  }

  /** Removes files that have expired, and what killed processes left behind. */
  @BackgroundTask('remove old exports', MINUTE_MS)
  async sweep({ now, signal }: TaskRun): Promise<void> {
    const ended = new Date(now.getTime() - KEPT_HOURS * HOUR_MS);
    await inPortions(() => this.removeSome((jobs) => jobs.forgetFilesBefore(ended)), signal);
    await inPortions(() => this.removeSome((jobs) => jobs.forgetOutdatedFiles()), signal);
    for await (const id of this.store.olderThan(new Date(now.getTime() - DAY_MS))) {
      if (signal?.aborted) return;
      if (!(await this.jobs.hasFile(id))) await this.store.remove(id);
    }
  }

  /** Removes some files, after the rows that name them. @returns how many */
  private async removeSome(
    forget: (jobs: BulkJobsRepository) => Promise<Buffer[]>,
  ): Promise<number> {
    const ids = await this.unitOfWork.run((tx: EntityManager) => forget(this.jobs.in(tx)));
    for (const id of ids) await this.store.remove(id);
    return ids.length;
  }
}
