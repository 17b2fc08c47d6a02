import { Injectable } from '@nestjs/common';
import { Between, In, Raw, type EntityManager, type Repository } from 'typeorm';
import { databaseTime } from '../platform/database/database-time.js';
import { ReadManager } from '../platform/database/read-manager.js';
import { Form } from '../forms/form.entity.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { Attempt } from './attempt.entity.js';
import type { Busy, DueDelivery } from './capacity.js';
import { LEASE_SECONDS } from './call-timeouts.js';
import {
  Delivery,
  destinationOf,
  type DeliveryKind,
  type DeliveryState,
} from './delivery.entity.js';
import { hostOf, MAIL_SERVER } from './destinations.js';

/** Most destinations that a look for what is due leaves out by itself; SQLite knows 32,766 parameters. */
const LEFT_OUT_MAX = 10_000;

/** Deliveries as workers take them: what is due, what is claimed, how a try ended. */
@Injectable()
export class DeliveryQueueRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): DeliveryQueueRepository {
    return new DeliveryQueueRepository({ manager: tx });
  }

  private get deliveries(): Repository<Delivery> {
    return this.source.manager.getRepository(Delivery);
  }

  private get attempts(): Repository<Attempt> {
    return this.source.manager.getRepository(Attempt);
  }

  /**
   * What is due and can be started, the longest due first; no more of it than it takes to choose.
   * What is busy is left out here, so that however much of it waits, the others are found.
   */
  async due(now: Date, limit: number, { destinations, accounts }: Busy): Promise<DueDelivery[]> {
    const query = this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.id', 'id')
      .addSelect('delivery.kind', 'kind')
      .addSelect('delivery.recipientKey', 'recipientKey')
      .addSelect('form.accountId', 'accountId')
      .leftJoin(Form, 'form', 'form.id = delivery.formId')
      .where("delivery.state = 'pending' AND delivery.nextAttemptAt <= :now", { now })
      .orderBy('delivery.nextAttemptAt', 'ASC')
      .limit(limit);
    const hosts = destinations.flatMap((name) => (name === MAIL_SERVER ? [] : hostOf(name)));
    if (hosts.length < destinations.length) query.andWhere("delivery.kind = 'webhook'");
    if (hosts.length > 0) {
      query.andWhere("(delivery.kind <> 'webhook' OR delivery.recipientKey NOT IN (:...hosts))", {
        hosts: hosts.slice(0, LEFT_OUT_MAX),
      });
    }
    if (accounts.ofAnyKind.length > 0) {
      query.andWhere('form.accountId NOT IN (:...all)', { all: accounts.ofAnyKind });
    }
    if (accounts.ofMails.length > 0) {
      query.andWhere("(delivery.kind = 'webhook' OR form.accountId NOT IN (:...mailing))", {
        mailing: accounts.ofMails,
      });
    }
    const found = await query.getRawMany<DueRow>();
    return found.map(({ id, accountId, ...row }) => ({
      id,
      accountId: accountId ?? 0,
      destination: destinationOf(row),
    }));
  }

  /**
   * Takes deliveries for one worker. The update is guarded by the state it expects, so of several
   * workers that try, one gets each: this rests on no lock that an engine may not honour. The lease
   * begins and ends by the clock of the database, which is the same for all of them.
   * @returns those that are now ours
   */
  async claim(ids: Buffer[], state: DeliveryState, token: Buffer): Promise<Delivery[]> {
    const leaseUntil = () => databaseTime(this.source.manager.dataSource, LEASE_SECONDS);
    await this.deliveries.update(
      { id: In(ids), state },
      { state: 'delivering', leaseToken: token, leaseUntil },
    );
    return this.deliveries.findBy({ id: In(ids), leaseToken: token });
  }

  /** Notes how a try ended. False when the lease was lost, and someone else is at it. */
  async settle(delivery: Delivery, token: Buffer, attempt: Omit<Attempt, 'id'>): Promise<boolean> {
    const { id, state, scheduledAttempts: tries, nextAttemptAt, settledAt } = delivery;
    const { affected } = await this.deliveries.update(
      { id, leaseToken: token },
      {
        state,
        scheduledAttempts: tries,
        nextAttemptAt,
        settledAt,
        leaseToken: null,
        leaseUntil: null,
      },
    );
    if (affected === 0) return false;
    await this.attempts.insert({ ...attempt, id: makeUuid() });
    return true;
  }

  /** How many of a delivery's last tries were lost, up to `most`. */
  async lostInARow(deliveryId: Buffer, most: number): Promise<number> {
    const last = await this.attempts.find({
      where: { deliveryId },
      order: { id: 'DESC' },
      take: most,
    });
    const other = last.findIndex(({ outcome }) => outcome !== 'lost');
    return other === -1 ? last.length : other;
  }

  /** What a killed worker was at. */
  abandoned(limit: number): Promise<Delivery[]> {
    const now = databaseTime(this.source.manager.dataSource);
    const leaseUntil = Raw((column) => `${column} < ${now}`);
    const where = { state: 'delivering', leaseUntil } as const;
    return this.deliveries.find({ where, take: limit });
  }

  /** Makes due at `now` what would be later, but was to be due by `due`. */
  async bringForward(due: Date, now: Date): Promise<void> {
    await this.deliveries.update(
      { state: 'pending', nextAttemptAt: Between(now, due) },
      { nextAttemptAt: now },
    );
  }
}

interface DueRow {
  id: Buffer;
  kind: DeliveryKind;
  recipientKey: string;
  /** Null when there is no such form any more. */
  accountId: number | null;
}
