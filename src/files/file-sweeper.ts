import { Injectable } from '@nestjs/common';
import { FileStore } from './file-store.js';
import { FilesRepository } from './files.repository.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import { inPortions } from '../platform/background/portions.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';

/** Age in milliseconds from which a file without a row is an orphan: its request ended long ago. */
const ORPHAN_AGE_MS = DAY_MS;

/** Removes files that a killed process left behind. */
@Injectable()
export class FileSweeper {
  constructor(
    private readonly store: FileStore,
    private readonly files: FilesRepository,
  ) {}

  /**
   * Removes files older than a day that no submission has.
   * @returns how many were removed
   */
  @BackgroundTask('sweep files', DAY_MS)
  async sweep({ now, signal }: TaskRun): Promise<number> {
    let removed = 0;
    const old = this.store.olderThan(new Date(now.getTime() - ORPHAN_AGE_MS));
    await inPortions(async (rows) => {
      const ids: Buffer[] = [];
      while (ids.length < rows) {
        const next = await old.next();
        if (next.done === true) break;
        ids.push(next.value);
      }
      const orphans = await this.files.unknownAmong(ids);
      for (const id of orphans) await this.store.remove(id);
      removed += orphans.length;
      return ids.length;
    }, signal);
    return removed;
  }
}
