import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ChangesTaken, CounterChangesRepository } from './model/counter-changes.repository.js';
import type { DeliveryKind } from './model/delivery.entity.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import type { CounterChange } from './model/fate.js';

/** Changes of the counts that one transaction makes. */
const CHANGES_AT_ONCE = 500;

/** Tells what became of deliveries. */
@Injectable()
export class DeliveryFates {
  constructor(
    private readonly changes: CounterChangesRepository,
    private readonly failed: FailedDeliveriesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Adds some of what was settled to the counts, each once.
   * @param add makes the changes, in the transaction that it is given
   * @returns how many there were
   */
  async countSome(
    add: (tx: EntityManager, changes: readonly CounterChange[]) => Promise<void>,
  ): Promise<number> {
    try {
      return await this.unitOfWork.run(async (tx) => {
        const taken = await this.changes.in(tx).take(CHANGES_AT_ONCE);
        // Last, since other instances wait for the rows of an account.
        if (taken.length > 0) await add(tx, taken);
        return taken.length;
      });
    } catch (error) {
      // Another instance counts now; the next run finds what it leaves.
      if (error instanceof ChangesTaken) return 0;
      throw error;
    }
  }

  /** Returns which of these submissions have a delivery that failed and is shown, by the id as Latin-1. */
  failedAmong(
    scope: Pick<Scope, 'clientId'>,
    submissionIds: readonly Buffer[],
  ): Promise<Set<string>> {
    return this.failed.among(scope, submissionIds);
  }

  /**
   * Returns of which of these kinds each of these forms has deliveries that wait or failed, by the form; without forms
   * where all went well.
   */
  openAmong(
    formIds: readonly number[],
    kinds: readonly DeliveryKind[],
  ): Promise<Map<number, DeliveryKind[]>> {
    return this.failed.openAmong(formIds, kinds);
  }

  /** Returns the submissions of a form that have one; null when there are more than `max`. */
  failedOf(formId: number, max: number): Promise<Buffer[] | null> {
    return this.failed.submissionsOf(formId, max);
  }
}
