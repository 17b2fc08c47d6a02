import { Injectable } from '@nestjs/common';
import { Brackets, In, IsNull, MoreThanOrEqual, Not, type FindOptionsWhere } from 'typeorm';
import {
  TransactionalRepository,
  insertStatement,
  sqlDate,
  type Statement,
  selectRows,
} from '../../platform/database/index.js';
import { ABOUT_SUBMISSIONS } from '../model/delivery-filter.js';
import { Delivery, type DeliveryKind, type DeliveryState, OptIn } from '../model/delivery.entity.js';
import { UNTIL_RELEASED, type OptInState } from '../model/outcome.js';

/**
 * Those that are withheld: pending without an end, or not yet due and never tried. What waits for its next try
 * after one that failed is not.
 */
const IS_WITHHELD = new Brackets((condition) =>
  condition
    .where('next_attempt_at >= :until', { until: UNTIL_RELEASED })
    .orWhere('(next_attempt_at > :now AND scheduled_attempts = 0)'),
);

/** Reads and changes what is withheld. */
@Injectable()
export class HoldsRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);

  listFor(submissionId: Buffer, now: Date): Promise<Delivery[]> {
    return this.deliveries
      .createQueryBuilder()
      .where({ submissionId, state: 'pending' })
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .orderBy('id')
      .getMany();
  }

  /** Schedules failed ones again, from the start of the schedule. Returns how many. */
  async revive(ids: Buffer[], now: Date) {
    const { affected } = await this.deliveries.update(
      { id: In(ids), state: 'failed' },
      { state: 'pending', scheduledAttempts: 0, nextAttemptAt: now, settledAt: null },
    );
    return affected ?? 0;
  }

  /** Returns those that a submission causes, and whether they go out although it is held or spam. */
  aboutSubmissions(ids: Buffer[]): Promise<Delivery[]> {
    return this.deliveries.find({
      select: { id: true, submissionId: true, askedFor: true },
      where: { id: In(ids), kind: In(ABOUT_SUBMISSIONS) },
    });
  }

  /** @param kind only this kind; absent: all */
  release(submissionIds: readonly Buffer[], now: Date, kind?: DeliveryKind) {
    return this.releaseWithheld({ ...openOf(submissionIds), ...(kind && { kind }) }, now);
  }

  /**
   * Withholds what is not over, but for mails to owners, until a moment; withheld mails to owners are due.
   * @param among only these deliveries; absent: all
   */
  async hold(submissionIds: readonly Buffer[], until: Date, now: Date, among?: readonly Buffer[]) {
    const open = openOf(submissionIds, among);
    const toOwners = { ...open, kind: 'owner_email', destinationId: IsNull() } as const;
    await this.releaseWithheld(toOwners, now);
    await this.deliveries.update(
      [
        { ...open, kind: Not<DeliveryKind>('owner_email') },
        { ...open, destinationId: Not(IsNull()) },
      ],
      { nextAttemptAt: until },
    );
  }

  /** Makes due what was asked for although its submission is held or spam, and waited for its visitor. */
  async releaseAskedFor(submissionIds: readonly Buffer[], now: Date) {
    const waiting = { state: 'pending', nextAttemptAt: MoreThanOrEqual(UNTIL_RELEASED) } as const;
    const askedFor = { submissionId: In([...submissionIds]), askedFor: true, ...waiting };
    await this.deliveries.update(askedFor, { nextAttemptAt: now });
  }

  /** Withholds the mails that ask the visitors of submissions until a moment. */
  async holdAsking(submissionIds: readonly Buffer[], until: Date) {
    const asking = { ...openOf(submissionIds), kind: 'opt_in' } as const;
    await this.deliveries.update(asking, { nextAttemptAt: until });
  }

  /** Withholds any of these deliveries that wait for the visitors of these submissions. */
  async withholdWaiting(submissionIds: readonly Buffer[], among: readonly Buffer[]) {
    const of = { id: In([...among]), submissionId: In([...submissionIds]) };
    const pending = { ...of, state: 'pending', kind: Not<DeliveryKind>('opt_in') } as const;
    await this.deliveries.update(pending, { nextAttemptAt: UNTIL_RELEASED });
  }

  /** @param among only these deliveries; absent: all */
  async withhold(submissionIds: readonly Buffer[], among?: readonly Buffer[]) {
    await this.deliveries.update(openOf(submissionIds, among), { nextAttemptAt: UNTIL_RELEASED });
  }

  private async releaseWithheld(among: FindOptionsWhere<Delivery>, now: Date) {
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ nextAttemptAt: now })
      .where(among)
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .execute();
  }
}

/**
 * Finds what is not over, but for what was asked for although its submission is held or spam. What is under way now
 * waits if its try fails.
 */
function openOf(submissionIds: readonly Buffer[], among?: readonly Buffer[]): FindOptionsWhere<Delivery> {
  return {
    ...(among && { id: In([...among]) }),
    submissionId: In([...submissionIds]),
    askedFor: false,
    state: In<DeliveryState>(['pending', 'delivering']),
  };
}

const COLUMNS = ['submission_id', 'form_id', 'state', 'email', 'asked_at', 'confirmed_at', 'by_hand'];
const BY_STATE = '/*! FORCE INDEX (ix_opt_ins_form) */';

/** A submission whose visitor is asked. */
export interface Asked {
  formId: number;
  submissionId: Buffer;
  email: string;
}

/** Reads and changes which submissions wait for their visitors. */
@Injectable()
export class OptInsRepository extends TransactionalRepository {
  inserts(asked: readonly Asked[], now: Date): Statement[] {
    const rows = asked.map(({ submissionId, formId, email }) => [
      ...[submissionId, formId, 'waiting', email, sqlDate(now), null, 0],
    ]);
    return insertStatement('opt_ins', COLUMNS, rows);
  }

  listAmong(submissionIds: readonly Buffer[]): Promise<OptIn[]> {
    if (submissionIds.length === 0) return Promise.resolve([]);
    return this.source.manager.findBy(OptIn, { submissionId: In([...submissionIds]) });
  }

  /** @returns whether it waited */
  async confirm(submissionId: Buffer, byHand: boolean, now: Date) {
    const { affected } = await this.source.manager.update(
      OptIn,
      { submissionId, state: 'waiting' },
      { state: 'confirmed', confirmedAt: now, byHand },
    );
    return affected === 1;
  }

  /** Finds the ids of submissions in this state, in this order, within the bound. */
  async idsInOrder(
    formId: number,
    state: OptInState,
    order: 'ASC' | 'DESC',
    [side, id]: readonly [side: string, id: Buffer],
    limit: number,
  ): Promise<Buffer[]> {
    const rows = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM opt_ins ${BY_STATE} WHERE form_id = ? AND state = ?
        AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, state, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  /** Tells whether a form has ever asked a visitor. */
  async hasAny(formId: number) {
    return this.source.manager.existsBy(OptIn, { formId });
  }
}
