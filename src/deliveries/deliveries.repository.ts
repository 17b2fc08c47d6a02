import { Injectable } from '@nestjs/common';
import { And, In, IsNull, LessThan, MoreThanOrEqual, type FindOptionsWhere, LessThanOrEqual, Not } from 'typeorm';
import type { Scope } from '../accounts/access/index.js';
import { TransactionalRepository, insertStatement, sqlDate, type Statement } from '../platform/database/index.js';
import { snakeCase, firstUuidAt } from '../platform/index.js';
import {
  Attempt,
  Delivery,
  NOT_FAILED,
  type DeliveryKind,
  DigestEntry,
  QueuedChange,
  type DeliveryState,
} from './model/delivery.entity.js';
import type { Cap, DeliveryWithAttempts, DeliveriesOf, NewestDeliveries } from './model/delivery-filter.js';
import { type CounterChange, CALLS, isMailAboutSubmission } from './model/outcome.js';

/** Properties of a delivery that are stored with it; the others begin empty. */
const STORED = [
  ...(['id', 'formId', 'submissionId', 'destinationId', 'ofAccount', 'askedFor', 'kind'] as const),
  ...(['recipient', 'recipientKey', 'state', 'scheduledAttempts', 'nextAttemptAt'] as const),
];
const COLUMNS = STORED.map(snakeCase);

/** States of deliveries in the outbox. */
const UNFINISHED: DeliveryState[] = ['pending', 'delivering'];

/** Deliveries that are looked at for mails that wait: those that are due next. */
const NEXT_ROWS = 1_000;

/** Thrown to roll back: another instance took some of these changes. */
export class ChangesTaken extends Error {}

/** Reads and writes deliveries and their attempts. */
@Injectable()
export class DeliveriesRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);
  private readonly attempts = this.rowsOf(Attempt);

  inserts(deliveries: Delivery[]): Statement[] {
    const rows = deliveries.map((delivery) =>
      STORED.map((name) => {
        const value = delivery[name];
        return value instanceof Date ? sqlDate(value) : value;
      }),
    );
    return insertStatement('deliveries', COLUMNS, rows);
  }

  find(formId: number, submissionId: Buffer, id: Buffer): Promise<Delivery | null> {
    return this.deliveries.findOneBy({ formId, submissionId, id });
  }

  listFor(submissionIds: Buffer[]): Promise<Delivery[]> {
    if (submissionIds.length === 0) return Promise.resolve([]);
    return this.deliveries.find({ where: { submissionId: In(submissionIds) }, order: { id: 'ASC' } });
  }

  /** Counts the deliveries of these submissions by their kind; for a client without those to destinations of the account. */
  async countByKind({ clientId }: Pick<Scope, 'clientId'>, submissionIds: Buffer[]) {
    if (submissionIds.length === 0) return new Map<DeliveryKind, number>();
    const rows = await this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.kind', 'kind')
      .addSelect('COUNT(*)', 'n')
      .where({ submissionId: In(submissionIds), ...(clientId !== null && { ofAccount: false }) })
      .groupBy('delivery.kind')
      .getRawMany<{ kind: DeliveryKind; n: number | string }>();
    return new Map(rows.map(({ kind, n }) => [kind, Number(n)]));
  }

  /** Returns deliveries with their attempts, oldest first. */
  async withAttempts(deliveries: Delivery[]): Promise<DeliveryWithAttempts[]> {
    if (deliveries.length === 0) return [];
    const deliveryId = In(deliveries.map(({ id }) => id));
    const attempts = await this.attempts.find({ where: { deliveryId }, order: { id: 'ASC' } });
    return deliveries.map((delivery) => ({
      delivery,
      attempts: attempts.filter((each) => each.deliveryId.equals(delivery.id)),
    }));
  }

  /**
   * Tells whether `count` deliveries of the same kind and recipient, or form, were created since `since` and before this
   * one, without failed ones. Reads no more rows than that.
   */
  async reachedBefore(delivery: Delivery, same: 'recipientKey' | 'formId', { count, since }: Cap) {
    const { kind } = delivery;
    const id = And(MoreThanOrEqual(firstUuidAt(since)), LessThan(delivery.id));
    const [last] = await this.deliveries.find({
      select: { id: true },
      where: { id, kind, [same]: delivery[same], state: In([...NOT_FAILED]) },
      skip: count - 1,
      take: 1,
    });
    return last !== undefined;
  }

  /**
   * Returns the newest deliveries that are asked for, newest first. Asks a form for each state by itself, since only then
   * the index has them in this order.
   */
  async newest({ of, states, before, limit }: NewestDeliveries): Promise<Delivery[]> {
    const where = { ...whereOf(of), ...(before && { id: LessThan(before) }) };
    if (of.destinationId) {
      const among = { ...where, state: In([...states]) };
      return this.deliveries.find({ where: among, order: { id: 'DESC' }, take: limit });
    }
    const found = await Promise.all(
      of.kinds.flatMap((kind) => states.map((state) => this.inOrder({ ...where, kind, state }, 'DESC', limit))),
    );
    return found
      .flat()
      .sort((one, other) => other.id.compare(one.id))
      .slice(0, limit);
  }

  /** Makes the failed ones among these deliveries obsolete, which nobody misses any more. @returns how many */
  async giveUp(ids: readonly Buffer[]) {
    const failed = { id: In([...ids]), state: 'failed' } as const;
    return (await this.deliveries.update(failed, { state: 'obsolete' })).affected ?? 0;
  }

  /** Makes due what waits for a destination. */
  async hasten(destinationId: Buffer, now: Date) {
    await this.deliveries.update({ destinationId, state: 'pending' }, { nextAttemptAt: now });
  }

  /** Returns the deliveries of a kind that have waited longest for their next attempt. */
  oldestPending(formId: number, kind: DeliveryKind, limit: number): Promise<Delivery[]> {
    return this.inOrder({ formId, kind, state: 'pending' }, 'ASC', limit);
  }

  /**
   * Returns ids of deliveries that were delivered, or obsolete, before `time`, unless a digest has yet to tell of
   * them. They were also created before it, which lets the query use the primary key.
   */
  async deliveredBefore(time: Date, limit: number): Promise<Buffer[]> {
    const found = await this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.id')
      .where({ id: LessThan(firstUuidAt(time)), state: In(['delivered', 'obsolete']) })
      .andWhere({ settledAt: LessThan(time) })
      .andWhere(
        "NOT EXISTS (SELECT 1 FROM digest_entries e JOIN deliveries d ON d.id = e.digest_id WHERE e.delivery_id = delivery.id AND d.state NOT IN ('delivered', 'obsolete'))",
      )
      .limit(limit)
      .getMany();
    return found.map(({ id }) => id);
  }

  /** Returns ids of a form's deliveries of every kind and state. */
  async idsOf(formId: number, limit: number): Promise<Buffer[]> {
    const found = await this.deliveries.find({ select: { id: true }, where: { formId }, take: limit });
    return found.map(({ id }) => id);
  }

  /**
   * Removes deliveries with what belongs to them, and first: who stores an attempt locks its delivery, so that it is there
   * to be removed, or is not stored any more.
   */
  async remove(ids: Buffer[]) {
    if (ids.length === 0) return;
    await this.deliveries.delete({ id: In(ids) });
    await this.attempts.delete({ deliveryId: In(ids) });
    await this.source.manager.delete(DigestEntry, { deliveryId: In(ids) });
  }

  /** Reads deliveries by form, kind and state. The index orders them; without a hint MariaDB walks all ids at times. */
  private inOrder(where: FindOptionsWhere<Delivery>, order: 'ASC' | 'DESC', limit: number) {
    return this.deliveries
      .createQueryBuilder('delivery')
      .useIndex('ix_deliveries_form')
      .where(where)
      .orderBy('delivery.id', order)
      .limit(limit)
      .getMany();
  }

  countUnfinished() {
    return this.deliveries.countBy({ state: In(UNFINISHED) });
  }

  /** Returns when the delivery that has been due the longest became due; null when none is due. */
  async oldestDue(now: Date): Promise<Date | null> {
    const times: number[] = [];
    for (const state of UNFINISHED) {
      const found = await this.deliveries.findOne({
        select: { id: true, nextAttemptAt: true },
        where: { state, nextAttemptAt: LessThanOrEqual(now) },
        order: { nextAttemptAt: 'ASC' },
      });
      if (found?.nextAttemptAt) times.push(found.nextAttemptAt.getTime());
    }
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  /** Counts the mails about submissions that wait after a try that failed, or were due before `time`, among the next ones. */
  async countMailsWaiting(time: Date) {
    const next = await this.deliveries.find({
      select: { id: true, kind: true, fate: true, nextAttemptAt: true },
      where: { state: 'pending', nextAttemptAt: Not(IsNull()) },
      order: { nextAttemptAt: 'ASC' },
      take: NEXT_ROWS,
    });
    return next.filter(
      ({ kind, fate, nextAttemptAt }) =>
        isMailAboutSubmission(kind) && (fate === 'deferred' || (nextAttemptAt !== null && nextAttemptAt < time)),
    ).length;
  }

  /**
   * Counts deliveries whose lease ended before `time`, and mails that were due before it and are not started: a call waits
   * longer where its own receiver is slow, which says nothing of the workers.
   */
  countStuck(time: Date) {
    return this.deliveries.countBy([
      { state: 'pending', nextAttemptAt: LessThan(time), kind: Not(In([...CALLS])) },
      { state: 'delivering', leaseUntil: LessThan(time) },
    ]);
  }

  /**
   * Removes the oldest changes of the counts and returns them.
   * @throws ChangesTaken when another instance was faster
   */
  async takeChanges(limit: number): Promise<CounterChange[]> {
    const rows = this.rowsOf(QueuedChange);
    const found = await rows.find({ order: { id: 'ASC' }, take: limit });
    if (found.length === 0) return [];
    const { affected } = await rows.delete({ id: In(found.map(({ id }) => id)) });
    if (affected !== found.length) throw new ChangesTaken();
    return found;
  }
}

function whereOf(of: DeliveriesOf): FindOptionsWhere<Delivery> {
  if (of.destinationId) return { destinationId: of.destinationId };
  const { formId, kinds, destinationId } = of;
  const named = { formId, kind: In([...kinds]) };
  return destinationId === null ? { ...named, destinationId: IsNull() } : named;
}
