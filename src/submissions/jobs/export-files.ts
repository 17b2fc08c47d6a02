import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/durations.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { ExportStore } from './export-store.js';

/** Hours that the file of an export is kept. */
const KEPT_HOURS = 24;

/** Removes the files of exports: when they expire, and before what is erased could be found in them. */
@Injectable()
export class ExportFiles {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly store: ExportStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns until when the file of an export that ended then is kept. */
  static expiryOf(endedAt: Date): Date {
    return new Date(endedAt.getTime() + KEPT_HOURS * HOUR_MS);
  }

  /**
   * Takes the files of a form's exports away, within the transaction that removes some of its submissions. Exports
   * under way begin anew.
   * @returns their ids, for `removeBytes` after the commit
   */
  forget(tx: EntityManager, formId: number): Promise<Buffer[]> {
    return this.jobs.in(tx).forgetFilesOf(formId);
  }

  async removeBytes(ids: readonly Buffer[]): Promise<void> {
    for (const id of ids) await this.store.remove(id);
  }

  /** Removes all files of a form's exports. */
  async forgetForm(formId: number): Promise<void> {
    await this.removeBytes(await this.unitOfWork.run((tx) => this.forget(tx, formId)));
  }

  /** Removes files that have expired, and what killed processes left behind. @param signal stops it between two */
  async sweep(now: Date, signal?: AbortSignal): Promise<void> {
    const ended = new Date(now.getTime() - KEPT_HOURS * HOUR_MS);
    for (let ids: Buffer[]; !signal?.aborted;) {
      ids = await this.unitOfWork.run((tx) => this.jobs.in(tx).forgetFilesBefore(ended));
      if (ids.length === 0) break;
      await this.removeBytes(ids);
    }
    for await (const id of this.store.olderThan(new Date(now.getTime() - DAY_MS))) {
      if (signal?.aborted) return;
      if (!(await this.jobs.hasFile(id))) await this.store.remove(id);
    }
  }
}
