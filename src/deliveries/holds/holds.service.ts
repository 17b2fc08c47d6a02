import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks, Clock, among } from '../../platform/index.js';
import type { Statement } from '../../platform/database/index.js';
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
    return this.optIns.in(tx).listAmong(submissionIds);
  }

  /** Returns which of these submissions wait, by id. */
  async waitingAmong(submissionIds: readonly Buffer[], tx?: EntityManager): Promise<Buffer[]> {
    const found = await this.listAmong(submissionIds, tx);
    return found.filter(({ state }) => state === 'waiting').map(({ submissionId: id }) => id);
  }

  /**
   * Ends the wait of a submission; `Holds.settle` releases what it causes.
   * @param byHand whether somebody else than its visitor does
   * @returns whether it waited
   */
  confirm(tx: EntityManager, submissionId: Buffer, byHand: boolean) {
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
  hasAny(formId: number) {
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
   * Schedules failed deliveries again, from the start of the schedule; for what is spam or held now, once released.
   * @returns how many
   */
  async revive(tx: EntityManager, ids: Buffer[]) {
    const holds = this.holds.in(tx);
    const now = this.clock.now();
    const revived = await holds.revive(ids, now);
    // Only now that the rows are locked: a mark that is made meanwhile either waits for them, or is seen here.
    const found = await holds.aboutSubmissions(ids);
    const waiting = await this.optIns.waitingAmong(submissionsOf(found), tx);
    const depending = found.filter(({ askedFor }) => !askedFor).map(({ id }) => id);
    const { spam, held } = await this.keptBackOf(tx, found);
    if (spam.length > 0) await holds.withhold(spam, depending);
    for (const { id, until } of held) await holds.hold([id], until ?? UNTIL_RELEASED, now, depending);
    if (waiting.length > 0) await holds.withholdWaiting(waiting, ids);
    return revived;
  }

  /** Returns which of these deliveries would not go out now. */
  async keptBackAmong(tx: EntityManager, deliveries: readonly Delivery[]): Promise<Delivery[]> {
    const isWaiting = among(await this.optIns.waitingAmong(submissionsOf(deliveries), tx));
    const isKept = among(idsOf(await this.keptBackOf(tx, deliveries)));
    return deliveries.filter(({ submissionId: id, askedFor }) => isWaiting(id) || (!askedFor && isKept(id)));
  }

  /** Asks which submissions of deliveries are spam or held, but for what was asked for. */
  private async keptBackOf(tx: EntityManager, deliveries: readonly Cause[]): Promise<KeptBack> {
    const ids = submissionsOf(deliveries.filter(({ askedFor }) => !askedFor));
    return ids.length > 0 ? this.hooks.ask(KeptBackOf, tx, ids) : { spam: [], held: [] };
  }

  /** Returns what is withheld for a submission. */
  listFor(submissionId: Buffer): Promise<Delivery[]> {
    return this.holds.listFor(submissionId, this.clock.now());
  }

  /** Makes due what is withheld for these submissions; the worker is to be woken after the commit. */
  async release(tx: EntityManager, submissionIds: readonly Buffer[]) {
    const { free, waiting } = await this.byWaiting(tx, submissionIds);
    const now = this.clock.now();
    if (free.length > 0) await this.holds.in(tx).release(free, now);
    if (waiting.length > 0) await this.holds.in(tx).release(waiting, now, 'opt_in');
  }

  /**
   * Makes due what a submission causes that waits no longer for its visitor: all of it, or as much as goes out while it is
   * spam or held. The worker is to be woken after the commit.
   */
  async settle(tx: EntityManager, submissionIds: readonly Buffer[]) {
    const { free } = await this.byWaiting(tx, submissionIds);
    if (free.length === 0) return;
    const kept = await this.hooks.ask(KeptBackOf, tx, free);
    const now = this.clock.now();
    await this.holds.in(tx).releaseAskedFor(free, now);
    const isKept = among(idsOf(kept));
    const released = free.filter((id) => !isKept(id));
    if (released.length > 0) await this.holds.in(tx).release(released, now);
    for (const { id, until } of kept.held) await this.hold(tx, [id], until);
  }

  /**
   * Withholds what is still pending for submissions that are held from now on, but for the mails to their owners.
   * @param until when it goes out by itself; null: when it is released
   */
  async hold(tx: EntityManager, submissionIds: readonly Buffer[], until: Date | null) {
    const { free, waiting } = await this.byWaiting(tx, submissionIds);
    const at = until ?? UNTIL_RELEASED;
    if (free.length > 0) await this.holds.in(tx).hold(free, at, this.clock.now());
    if (waiting.length > 0) await this.holds.in(tx).holdAsking(waiting, at);
  }

  /** Withholds what is still pending for these submissions, until it is released. */
  withhold(tx: EntityManager, submissionIds: readonly Buffer[]) {
    return this.holds.in(tx).withhold(submissionIds);
  }

  /** Divides submissions by whether they wait for their visitors. */
  private async byWaiting(tx: EntityManager, submissionIds: readonly Buffer[]) {
    const waiting = await this.optIns.waitingAmong(submissionIds, tx);
    const isWaiting = among(waiting);
    return { waiting, free: submissionIds.filter((id) => !isWaiting(id)) };
  }
}

/** A delivery with the submission that causes it, and whether it goes out although that is held or spam. */
type Cause = Pick<Delivery, 'submissionId' | 'askedFor'>;

function submissionsOf(deliveries: readonly Pick<Cause, 'submissionId'>[]) {
  return deliveries.flatMap(({ submissionId }) => submissionId ?? []);
}

function idsOf({ spam, held }: KeptBack) {
  return [...spam, ...held.map(({ id }) => id)];
}
