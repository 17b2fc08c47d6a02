import { Injectable } from '@nestjs/common';
import { inPortions } from '../platform/kernel/portions.js';
import { settledBefore, timeOf } from '../platform/kernel/uuid.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ErasureService } from './erasure.service.js';
import { LeftoversRepository, type Dependant, type DependantRow } from './leftovers.repository.js';

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
    private readonly erasure: ErasureService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Walks through all tables once, in small portions. @param signal stops it between two of them */
  async remove(now: Date, signal?: AbortSignal): Promise<void> {
    for (const table of this.leftovers.dependants()) await this.walk(table, now, signal);
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
      for (let from = 0; from < orphans.length; from += rows) {
        await this.removeRows(table, orphans.slice(from, from + rows));
      }
      after = some.at(-1);
      return some.length;
    }, signal);
  }

  private async removeRows(table: Dependant, rows: readonly DependantRow[]): Promise<void> {
    const ids = rows.flatMap(({ submission }) => submission ?? []);
    await this.erasure.forget(ids, (tx) => this.leftovers.in(tx).remove(table, rows));
  }
}
