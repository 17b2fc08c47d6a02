import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { Delivery } from '../model/delivery.entity.js';
import { UNTIL_RELEASED } from '../model/until-released.js';
import { HoldsRepository } from './holds.repository.js';

/**
 * Withholds deliveries and releases them. One that is withheld is a row of the outbox whose time has not come, so
 * a release is a change of that time, and each is made once however often it is released.
 */
@Injectable()
export class Holds {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns what is withheld for a submission. */
  listFor(submissionId: Buffer): Promise<Delivery[]> {
    return this.holds.listFor(submissionId, this.clock.now());
  }

  /** Makes due what is withheld for these submissions; the worker is to be woken after the commit. */
  release(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.holds.in(tx).release(submissionIds, this.clock.now());
  }

  /**
   * Withholds what is still pending for submissions that are held from now on, but for the mails to their owners.
   * @param until when it goes out by itself; null: when it is released
   */
  hold(tx: EntityManager, submissionIds: readonly Buffer[], until: Date | null): Promise<void> {
    return this.holds.in(tx).hold(submissionIds, until ?? UNTIL_RELEASED, this.clock.now());
  }

  /** Withholds what is still pending for these submissions, until it is released. */
  withhold(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.holds.in(tx).withhold(submissionIds);
  }
}
