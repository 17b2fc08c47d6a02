import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/durations.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { ExportStore } from './export-store.js';

/** Hours that the file of an export is kept. */
const KEPT_HOURS = 24;

/** Removes the files of exports: when they expire, and once something that may be in them was erased. */
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
   * Removes all files of a form's exports, after something of the form was erased. None of them can be opened any more
   * by then, so nobody waits for this.
   */
  async forgetForm(formId: number): Promise<void> {
    if (!(await this.jobs.hasFilesOf(formId))) return;
    await this.removeEach((jobs) => jobs.forgetFilesOf(formId));
  }

  /** Removes files that have expired, and what killed processes left behind. @param signal stops it between two */
  async sweep(now: Date, signal?: AbortSignal): Promise<void> {
    const ended = new Date(now.getTime() - KEPT_HOURS * HOUR_MS);
    await this.removeEach((jobs) => jobs.forgetFilesBefore(ended), signal);
    await this.removeEach((jobs) => jobs.forgetOutdatedFiles(), signal);
    for await (const id of this.store.olderThan(new Date(now.getTime() - DAY_MS))) {
      if (signal?.aborted) return;
      if (!(await this.jobs.hasFile(id))) await this.store.remove(id);
    }
  }

  /** Removes files some at a time, each after the row that names it. @param forget takes some rows' files away */
  private async removeEach(
    forget: (jobs: BulkJobsRepository) => Promise<Buffer[]>,
    signal?: AbortSignal,
  ): Promise<void> {
    while (!signal?.aborted) {
      const ids = await this.unitOfWork.run((tx: EntityManager) => forget(this.jobs.in(tx)));
      if (ids.length === 0) return;
      for (const id of ids) await this.store.remove(id);
    }
  }
}
