import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { Delivery } from '../model/delivery.entity.js';
import type { KeptBack } from '../model/kept-back.js';
import { UNTIL_RELEASED } from '../model/until-released.js';
import { HoldsRepository } from './holds.repository.js';

type FindKeptBack = (tx: EntityManager, submissionIds: Buffer[]) => Promise<KeptBack>;

/**
 * Withholds deliveries and releases them. One that is withheld is a row of the outbox whose time has not come, so
 * a release is a change of that time, and each is made once however often it is released.
 */
@Injectable()
export class Holds {
  private findKeptBack: FindKeptBack = () => Promise.resolve({ spam: [], held: [] });

  constructor(
    private readonly holds: HoldsRepository,
    private readonly clock: Clock,
  ) {}

  /** Registers who knows which submissions are spam or held. */
  registerKeptBack(find: FindKeptBack): void {
    this.findKeptBack = find;
  }

  /**
   * Schedules failed deliveries again, from the start of the schedule; those of what is spam or held now once it is
   * released.
   * @returns how many
   */
  async revive(tx: EntityManager, ids: Buffer[]): Promise<number> {
    const holds = this.holds.in(tx);
    const now = this.clock.now();
    const revived = await holds.revive(ids, now);
    // Only now that the rows are locked: a mark that is made meanwhile either waits for them, or is seen here.
    const found = await holds.dependingOnVerdict(ids);
    if (found.length === 0) return revived;
    const among = found.map(({ id }) => id);
    const submissionIds = found.map(({ submissionId }) => submissionId);
    const { spam, held } = await this.findKeptBack(tx, submissionIds);
    if (spam.length > 0) await holds.withhold(spam, among);
    for (const { id, until } of held) await holds.hold([id], until ?? UNTIL_RELEASED, now, among);
    return revived;
  }

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
