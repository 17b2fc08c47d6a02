import { Injectable } from '@nestjs/common';
import { inPortions } from '../../platform/background/portions.js';
import { settledBefore, timeOf } from '../../platform/kernel/uuid.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { LeftoversRepository, type Dependant, type DependantRow } from './leftovers.repository.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { DAY_MS } from '../../platform/kernel/time/durations.js';
import { Projections } from '../../projections/projections.js';
import { inSlices } from '../../platform/kernel/slices.js';

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
      if (left.length > 0)
        await this.unitOfWork.run((tx) => this.leftovers.in(tx).purgeAgain(left));
      after = forms.at(-1)?.id ?? after;
      return forms.length;
    }, signal);
  }

  /** Returns the tables with rows of submissions, but for those whose rows stay until they end by themselves. */
  private tables(): Dependant[] {
    const staying = new Set(this.projections.tables('areStaying'));
    return this.leftovers.dependants().filter(({ metadata }) => !staying.has(metadata.tableName));
  }

  private async walk(table: Dependant, now: Date, signal?: AbortSignal): Promise<void> {
    let after: DependantRow | undefined;
    await inPortions(async (rows) => {
      const some = await this.leftovers.rowsAfter(table, after, rows * LOOKED_FOR_EACH);
      // What is new may have been read before its submission was stored.
      const end = settledBefore(now);
      const old = some.flatMap(({ submission }) =>
        submission && timeOf(submission) < end ? [submission] : [],
      );
      const gone = new Set((await this.leftovers.gone(old)).map((id) => id.toString('latin1')));
      const orphans = some.filter(({ submission }) =>
        gone.has(submission?.toString('latin1') ?? ''),
      );
      for (const some of inSlices(orphans, rows)) {
        await this.removeRows(table, some);
      }
      after = some.at(-1);
      return some.length;
    }, signal);
  }

  private async removeRows(table: Dependant, rows: readonly DependantRow[]): Promise<void> {
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
