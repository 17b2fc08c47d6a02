import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks } from '../../platform/hooks/hooks.js';
import type { Statement } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/time.js';
import type { OptIn, Delivery } from '../model/delivery.entity.js';
import { type OptInState, type KeptBack, UNTIL_RELEASED } from '../model/outcome.js';
import { OptInsRepository, type Asked, HoldsRepository } from './holds.repository.js';

/** Keeps which submissions wait until their visitors confirm them. */
@Injectable()
export class OptIns {
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
}

/** Asks which of these submissions are spam or held. */
export const KeptBackOf = hook<(tx: EntityManager, submissionIds: Buffer[]) => Promise<KeptBack>>();

/**
 * Withholds deliveries and releases them. One that is withheld is a row of the outbox whose time has not come, so
 * a release is a change of that time, and each is made once however often it is released. What waits for its visitor stays
 * withheld whatever is released, but for the mail that asks.
 */
@Injectable()
export class Holds {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly optIns: OptIns,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {}

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
    const found = await holds.aboutSubmissions(ids);
    const waiting = await this.optIns.waitingAmong(submissionsOf(found), tx);
    const depending = found.filter(({ askedFor }) => !askedFor);
    if (depending.length > 0) {
      const among = depending.map(({ id }) => id);
      const { spam, held } = await this.hooks.ask(KeptBackOf, tx, submissionsOf(depending));
      if (spam.length > 0) await holds.withhold(spam, among);
      for (const { id, until } of held) await holds.hold([id], until ?? UNTIL_RELEASED, now, among);
    }
    if (waiting.length > 0) await holds.withholdWaiting(waiting, ids);
    return revived;
  }

  /** Returns those of these deliveries of which nothing would go out now. */
  async keptBackAmong(tx: EntityManager, deliveries: readonly Delivery[]): Promise<Delivery[]> {
    const about = (among: readonly Delivery[]) =>
      among.flatMap(({ submissionId }) => submissionId ?? []);
    const waiting = await this.optIns.waitingAmong(about(deliveries), tx);
    const depending = about(deliveries.filter(({ askedFor }) => !askedFor));
    const { spam, held } =
      depending.length > 0
        ? await this.hooks.ask(KeptBackOf, tx, depending)
        : { spam: [], held: [] };
    const keyOf = (id: Buffer | null) => id?.toString('hex') ?? '';
    const isWaiting = new Set(waiting.map(keyOf));
    const isKept = new Set([...spam, ...held.map(({ id }) => id)].map(keyOf));
    return deliveries.filter(({ submissionId, askedFor }) => {
      const key = keyOf(submissionId);
      return isWaiting.has(key) || (!askedFor && isKept.has(key));
    });
  }

  /** Returns what is withheld for a submission. */
  listFor(submissionId: Buffer): Promise<Delivery[]> {
    return this.holds.listFor(submissionId, this.clock.now());
  }

  /** Makes due what is withheld for these submissions; the worker is to be woken after the commit. */
  async release(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    const { free, waiting } = await this.byWaiting(tx, submissionIds);
    const now = this.clock.now();
    if (free.length > 0) await this.holds.in(tx).release(free, now);
    if (waiting.length > 0) await this.holds.in(tx).release(waiting, now, 'opt_in');
  }

  /**
   * Makes due what a submission causes that waits no longer for its visitor: all of it, or as much as goes out while it is
   * spam or held. The worker is to be woken after the commit.
   */
  async settle(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    const { free } = await this.byWaiting(tx, submissionIds);
    if (free.length === 0) return;
    const { spam, held } = await this.hooks.ask(KeptBackOf, tx, free);
    const now = this.clock.now();
    await this.holds.in(tx).releaseAskedFor(free, now);
    const kept = new Set([...spam, ...held.map(({ id }) => id)].map((id) => id.toString('hex')));
    const released = free.filter((id) => !kept.has(id.toString('hex')));
    if (released.length > 0) await this.holds.in(tx).release(released, now);
    for (const { id, until } of held) await this.hold(tx, [id], until);
  }

  /**
   * Withholds what is still pending for submissions that are held from now on, but for the mails to their owners.
   * @param until when it goes out by itself; null: when it is released
   */
  async hold(
    tx: EntityManager,
    submissionIds: readonly Buffer[],
    until: Date | null,
  ): Promise<void> {
    const { free, waiting } = await this.byWaiting(tx, submissionIds);
    const at = until ?? UNTIL_RELEASED;
    if (free.length > 0) await this.holds.in(tx).hold(free, at, this.clock.now());
    if (waiting.length > 0) await this.holds.in(tx).holdAsking(waiting, at);
  }

  /** Withholds what is still pending for these submissions, until it is released. */
  withhold(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.holds.in(tx).withhold(submissionIds);
  }

  /** Divides submissions by whether they wait for their visitors. */
  private async byWaiting(tx: EntityManager, submissionIds: readonly Buffer[]) {
    const waiting = await this.optIns.waitingAmong(submissionIds, tx);
    const keys = new Set(waiting.map((id) => id.toString('hex')));
    return { waiting, free: submissionIds.filter((id) => !keys.has(id.toString('hex'))) };
  }
}

function submissionsOf(deliveries: readonly { submissionId: Buffer }[]): Buffer[] {
  return deliveries.map(({ submissionId }) => submissionId);
}
