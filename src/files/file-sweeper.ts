import { Injectable } from '@nestjs/common';
import { FileStore } from './file-store.js';
import { FilesRepository } from './files.repository.js';

/** A file that no submission has after this long never will have one: its request is over. */
const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes files that a killed process left behind. */
@Injectable()
export class FileSweeper {
  constructor(
    private readonly store: FileStore,
    private readonly files: FilesRepository,
  ) {}

  /**
   * @param signal when to stop, between two files
   * @returns how many were removed
   */
  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for await (const id of this.store.olderThan(new Date(now.getTime() - ORPHAN_AGE_MS))) {
      if (signal?.aborted) break;
      if (await this.files.isKnown(id)) continue;
      await this.store.remove(id);
      removed++;
    }
    return removed;
  }
}
