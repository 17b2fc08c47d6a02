import { Injectable } from '@nestjs/common';
import { Between, In, Raw } from 'typeorm';
import { reachedBy, type AttemptResult, CALLS, UNTIL_RELEASED, type CounterChange } from '../model/outcome.js';
import {
  receiverOf,
  Delivery,
  Attempt,
  queued,
  QueuedChange,
  type DeliveryKind,
  type DeliveryState,
} from '../model/delivery.entity.js';
import { Counts, hostOf, Receivers, type BusyReceivers, type ReceiverName, MAIL_SERVER } from '../model/receivers.js';
import { databaseTime, TransactionalRepository } from '../../platform/database/index.js';
import { Form } from '../../forms/model/form.entity.js';
import { makeUuid } from '../../platform/index.js';
import { LEASE_SECONDS } from './call-timeouts.js';

/** Most deliveries of one account under way in this process; a fifth of the worker's 50 is left to others. */
const CONCURRENCY = 40;
/** Most mails of one account under way; a fifth of the mail server's 10 is left to others. */
const MAIL_CONCURRENCY = 8;

/** The columns of a due delivery that decide whether it is claimed. */
export interface DueDelivery {
  id: Buffer;
  accountId: number;
  destinationId: Buffer | null;
  receiver: ReceiverName;
}

/** Receivers and accounts that have reached their limits. */
interface Busy extends BusyReceivers {
  accounts: Record<'ofAnyKind' | 'ofMails', number[]>;
}

/** Decides what can be started within the limits of each receiver and each account. */
export class Capacity {
  private readonly receivers = new Receivers();
  /** Deliveries under way of each account, and mails among them, so that no account takes the whole worker. */
  private readonly all = new Counts<number>();
  private readonly mails = new Counts<number>();

  busy(now: Date): Busy {
    const ofAnyKind = this.all.from(CONCURRENCY);
    return { ...this.receivers.busy(now), accounts: { ofAnyKind, ofMails: this.mails.from(MAIL_CONCURRENCY) } };
  }

  /** Takes a place of an account. Returns a function that gives it back. */
  share(delivery: Delivery, accountId: number): () => void {
    const isMail = receiverOf(delivery, accountId) === MAIL_SERVER;
    const move = (by: number) => {
      this.all.add(accountId, by);
      if (isMail) this.mails.add(accountId, by);
    };
    move(1);
    return () => {
      move(-1);
    };
  }

  /**
   * Begins an attempt. Returns a function that ends it, and takes from its result whether the receiver answered, and
   * whether it asked us to wait.
   */
  begin(delivery: Delivery, accountId: number): (ended: AttemptResult, now: Date) => void {
    const { destinationId, kind } = delivery;
    const receiver = receiverOf(delivery, accountId);
    this.receivers.begin(receiver);
    return (ended, now) => {
      this.receivers.end(receiver, reachedBy(ended), now);
      const { retryAfterMs } = ended;
      if (destinationId && kind === 'destination' && retryAfterMs !== null) {
        this.receivers.wait(destinationId, retryAfterMs, now);
      }
    };
  }

  /**
   * Chooses deliveries within the limits of their receivers, their accounts and the process. The order is
   * shuffled, since all workers look at the same rows.
   * @param free how many more the process can start
   */
  select(due: DueDelivery[], free: number, now: Date): DueDelivery[] {
    const chosen = new Counts<string>();
    return shuffled(due).filter(({ accountId, receiver }) => {
      const host = hostOf(receiver)?.host;
      const rooms: [string, number][] = [
        ['', free],
        [receiver, this.receivers.room(receiver, now)],
        [`account ${accountId}`, CONCURRENCY - this.all.of(accountId)],
        host === undefined
          ? [`mails ${accountId}`, MAIL_CONCURRENCY - this.mails.of(accountId)]
          : [`host ${host}`, this.receivers.roomOf(host)],
      ];
      if (rooms.some(([name, room]) => chosen.of(name) >= room)) return false;
      for (const [name] of rooms) chosen.add(name, 1);
      return true;
    });
  }
}

function shuffled<T>(items: T[]) {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Most receivers that one query leaves out; SQLite allows 32,766 parameters. */
const LEFT_OUT_MAX = 10_000;

/** Reads due deliveries, claims them with a lease, and stores how their attempts ended. */
@Injectable()
export class DeliveryQueueRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);
  private readonly attempts = this.rowsOf(Attempt);

  /**
   * Returns due deliveries that can be started, the longest due first, with only the columns needed to choose. Busy
   * receivers and accounts are left out by the query: otherwise their rows would fill the limit and hide all others.
   */
  async due(now: Date, limit: number, { receivers, hosts, waiting, accounts }: Busy): Promise<DueDelivery[]> {
    const query = this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.id', 'id')
      .addSelect('delivery.kind', 'kind')
      .addSelect('delivery.recipientKey', 'recipientKey')
      .addSelect('delivery.destinationId', 'destinationId')
      .addSelect('form.accountId', 'accountId')
      .leftJoin(Form, 'form', 'form.id = delivery.formId')
      .where("delivery.state = 'pending' AND delivery.nextAttemptAt <= :now", { now })
      .orderBy('delivery.nextAttemptAt', 'ASC')
      .limit(limit)
      .setParameter('calls', CALLS);
    if (receivers.includes(MAIL_SERVER)) query.andWhere('delivery.kind IN (:...calls)');
    const leaveOut = (condition: string, name: string, values: readonly unknown[]) => {
      if (values.length === 0) return;
      const some = values.slice(0, LEFT_OUT_MAX);
      query.andWhere(`(${condition} NOT IN (:...${name}))`, { [name]: some });
    };
    const isMail = 'delivery.kind NOT IN (:...calls)';
    leaveOut(`${isMail} OR delivery.recipientKey`, 'hosts', hosts);
    // One list for all: a condition for each account would be deeper than SQLite takes.
    const pairs = receivers.flatMap((name) => hostOf(name) ?? []);
    leaveOut(
      `${isMail} OR form.accountId IS NULL OR CONCAT(form.accountId, ' ', delivery.recipientKey)`,
      'pairs',
      pairs.map(({ accountId, host }) => `${accountId} ${host}`),
    );
    leaveOut('delivery.destinationId IS NULL OR delivery.destinationId', 'waiting', waiting);
    leaveOut('form.accountId IS NULL OR form.accountId', 'all', accounts.ofAnyKind);
    leaveOut('delivery.kind IN (:...calls) OR form.accountId', 'mailing', accounts.ofMails);
    const found = await query.getRawMany<DueRow>();
    return found.map(({ id, accountId, destinationId, ...row }) => ({
      ...{ id, destinationId, accountId: accountId ?? 0 },
      receiver: receiverOf(row, accountId ?? 0),
    }));
  }

  /**
   * Claims deliveries for one worker. The update is guarded by the expected state, so of several workers exactly one
   * gets each, whatever locks the engine takes. The lease uses the database's clock, which all workers share.
   * @returns the deliveries that this worker got
   */
  async claim(ids: Buffer[], state: DeliveryState, token: Buffer): Promise<Delivery[]> {
    const leaseUntil = () => databaseTime(this.source.manager.dataSource, LEASE_SECONDS);
    await this.deliveries.update({ id: In(ids), state }, { state: 'delivering', leaseToken: token, leaseUntil });
    return this.deliveries.findBy({ id: In(ids), leaseToken: token });
  }

  /**
   * Stores the result of an attempt, and what it changes in the counts. A next try that was put off meanwhile, since
   * somebody said that it is spam, stays so.
   * @param dueAt when the claimed delivery was due
   * @returns false when the lease was lost, so that another worker has the delivery
   */
  async settle(
    delivery: Delivery,
    { token, dueAt }: { token: Buffer; dueAt: Date | null },
    attempt: Omit<Attempt, 'id'>,
    changes: readonly CounterChange[],
  ) {
    const { id, state, scheduledAttempts, nextAttemptAt, settledAt, fate } = delivery;
    const isPutOff = 'next_attempt_at >= :until OR (next_attempt_at > :next AND next_attempt_at <> :dueAt)';
    const { affected } = await this.deliveries
      .createQueryBuilder()
      .update()
      .set({
        ...{ state, scheduledAttempts, settledAt, fate, leaseToken: null, leaseUntil: null },
        nextAttemptAt: nextAttemptAt && (() => `CASE WHEN ${isPutOff} THEN next_attempt_at ELSE :next END`),
      })
      .where({ id, leaseToken: token })
      .setParameters({ until: UNTIL_RELEASED, dueAt, next: nextAttemptAt })
      .execute();
    if (affected === 0) return false;
    await this.attempts.insert({ ...attempt, id: makeUuid() });
    if (changes.length > 0) await this.rowsOf(QueuedChange).insert(changes.map(queued));
    return true;
  }

  /** Returns which of the deliveries have at least so many `lost` attempts. */
  async lostAtLeast(times: number, ids: Buffer[]): Promise<Buffer[]> {
    if (ids.length === 0) return [];
    const found = await this.attempts
      .createQueryBuilder('attempt')
      .select('attempt.deliveryId', 'id')
      .where({ deliveryId: In(ids), outcome: 'lost' })
      .groupBy('attempt.deliveryId')
      .having('COUNT(*) >= :times', { times })
      .getRawMany<{ id: Buffer }>();
    return found.map(({ id }) => id);
  }

  /** Counts how many of a delivery's last attempts were `lost`, up to `most`. */
  async lostInARow(deliveryId: Buffer, most: number) {
    const last = await this.attempts.find({ where: { deliveryId }, order: { id: 'DESC' }, take: most });
    const other = last.findIndex(({ outcome }) => outcome !== 'lost');
    return other === -1 ? last.length : other;
  }

  /** Returns deliveries whose lease has expired, since their worker died. */
  abandoned(limit: number): Promise<Delivery[]> {
    const now = databaseTime(this.source.manager.dataSource);
    const leaseUntil = Raw((column) => `${column} < ${now}`);
    const where = { state: 'delivering', leaseUntil } as const;
    return this.deliveries.find({ where, take: limit });
  }

  /** Makes deliveries due at `now` that have a later time, but one before `due`. Used after the clock was set back. */
  async bringForward(due: Date, now: Date) {
    await this.deliveries.update({ state: 'pending', nextAttemptAt: Between(now, due) }, { nextAttemptAt: now });
  }
}

interface DueRow {
  id: Buffer;
  kind: DeliveryKind;
  recipientKey: string;
  destinationId: Buffer | null;
  /** Null when the form does not exist any more. */
  accountId: number | null;
}
