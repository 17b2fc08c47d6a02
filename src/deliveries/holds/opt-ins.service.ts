import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Statement } from '../../platform/database/statement.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { Projected, type Erased, type Projection } from '../../projections/projection.js';
import type { OptIn } from '../model/opt-in.entity.js';
import type { OptInState } from '../model/opt-in-states.js';
import { OptInsRepository, type Asked } from './opt-ins.repository.js';

/** Keeps which submissions wait until their visitors confirm them. */
@Injectable()
@Projected({ tables: ['opt_ins'] })
export class OptIns implements Projection {
  constructor(
    private readonly optIns: OptInsRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the INSERTs that make these submissions wait. */
  inserts(asked: readonly Asked[]): Statement[] {
    return this.optIns.inserts(asked, this.clock.now());
  }

  /** Returns what is known of a submission; null where nobody was asked. */
  async find(submissionId: Buffer, tx?: EntityManager): Promise<OptIn | null> {
    const [found = null] = await this.listAmong([submissionId], tx);
    return found;
  }

  listAmong(submissionIds: readonly Buffer[], tx?: EntityManager): Promise<OptIn[]> {
    return (tx ? this.optIns.in(tx) : this.optIns).listAmong(submissionIds);
  }

  /** Returns the ids of those of these submissions that wait. */
  async waitingAmong(submissionIds: readonly Buffer[], tx?: EntityManager): Promise<Buffer[]> {
    const found = await this.listAmong(submissionIds, tx);
    return found.filter(({ state }) => state === 'waiting').map(({ submissionId: id }) => id);
  }

  /**
   * Ends the wait of a submission; `Holds.settle` releases what it causes.
   * @param byHand whether somebody else than its visitor does
   * @returns whether it waited
   */
  confirm(tx: EntityManager, submissionId: Buffer, byHand: boolean): Promise<boolean> {
    return this.optIns.in(tx).confirm(submissionId, byHand, this.clock.now());
  }

  /** Finds the ids of submissions in this state, in this order, within the bound. */
  idsInOrder(
    formId: number,
    state: OptInState,
    order: 'ASC' | 'DESC',
    bound: readonly [side: string, id: Buffer],
    limit: number,
  ): Promise<Buffer[]> {
    return this.optIns.idsInOrder(formId, state, order, bound, limit);
  }

  /** Tells whether a form has ever asked a visitor. */
  hasAny(formId: number): Promise<boolean> {
    return this.optIns.hasAny(formId);
  }

  /** Forgets submissions in the transaction that removes them. */
  forget(tx: EntityManager, { ids }: Erased): Promise<void> {
    return this.optIns.in(tx).forget(ids);
  }
}
