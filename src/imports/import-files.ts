import { Injectable } from '@nestjs/common';
import { inPortions } from '../platform/background/portions.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS } from '../platform/kernel/time/durations.js';
import { Projected, type Projection } from '../projections/projection.js';
import { ImportStore } from './import-store.js';
import { ImportsRepository } from './imports.repository.js';

/** Removes what is kept of imports: with their form, and files that nobody needs any more. */
@Injectable()
@Projected({ tables: ['imports', 'import_portions'] })
export class ImportFiles implements Projection {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly store: ImportStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes the imports of a deleted form, in small transactions; their files go with the next sweep. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
    await inPortions(
      () => this.unitOfWork.run((tx) => this.imports.in(tx).removeSome(formId)),
      signal,
    );
  }

  /** Removes imports that nobody began within a day, and files that no import has. */
  @BackgroundTask('remove files of imports', HOUR_MS)
  async sweep({ now, signal }: TaskRun): Promise<void> {
    const dayAgo = new Date(now.getTime() - DAY_MS);
    await this.unitOfWork.run((tx) => this.imports.in(tx).removeDraftsBefore(dayAgo));
    for await (const id of this.store.olderThan(dayAgo)) {
      if (signal?.aborted) return;
      if (!(await this.imports.hasFile(id))) await this.store.remove(id);
    }
  }
}
