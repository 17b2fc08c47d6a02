import { Injectable } from '@nestjs/common';
import { Brackets, In, IsNull, Not, type FindOptionsWhere, type Repository } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { ABOUT_SUBMISSIONS } from '../model/delivery-filter.js';
import { Delivery, type DeliveryKind, type DeliveryState } from '../model/delivery.entity.js';
import { UNTIL_RELEASED } from '../model/until-released.js';

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
  private get deliveries(): Repository<Delivery> {
    return this.source.manager.getRepository(Delivery);
  }

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
  async revive(ids: Buffer[], now: Date): Promise<number> {
    const { affected } = await this.deliveries.update(
      { id: In(ids), state: 'failed' },
      { state: 'pending', scheduledAttempts: 0, nextAttemptAt: now, settledAt: null },
    );
    return affected ?? 0;
  }

  /** Returns those that go out only while their submission is neither held nor spam. */
  async dependingOnVerdict(ids: Buffer[]): Promise<{ id: Buffer; submissionId: Buffer }[]> {
    const found = await this.deliveries.find({
      select: { id: true, submissionId: true },
      where: { id: In(ids), kind: In(ABOUT_SUBMISSIONS), askedFor: false },
    });
    return found.flatMap(({ id, submissionId }) => (submissionId ? { id, submissionId } : []));
  }

  async release(submissionIds: readonly Buffer[], now: Date): Promise<void> {
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ nextAttemptAt: now })
      .where(openOf(submissionIds))
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .execute();
  }

  /**
   * Withholds what is not over, but for mails to owners, until a moment; those of them that were withheld are due.
   * @param among only these deliveries; absent: all
   */
  async hold(
    submissionIds: readonly Buffer[],
    until: Date,
    now: Date,
    among?: readonly Buffer[],
  ): Promise<void> {
    const open = openOf(submissionIds, among);
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ nextAttemptAt: now })
      .where({ ...open, kind: 'owner_email', destinationId: IsNull() })
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .execute();
    await this.deliveries.update(
      [
        { ...open, kind: Not<DeliveryKind>('owner_email') },
        { ...open, destinationId: Not(IsNull()) },
      ],
      { nextAttemptAt: until },
    );
  }

  /** @param among only these deliveries; absent: all */
  async withhold(submissionIds: readonly Buffer[], among?: readonly Buffer[]): Promise<void> {
    await this.deliveries.update(openOf(submissionIds, among), { nextAttemptAt: UNTIL_RELEASED });
  }
}

/**
 * Finds what is not over, but for what was asked for although its submission is held or spam. What is under way now
 * waits if its try fails.
 */
function openOf(
  submissionIds: readonly Buffer[],
  among?: readonly Buffer[],
): FindOptionsWhere<Delivery> {
  return {
    ...(among && { id: In([...among]) }),
    submissionId: In([...submissionIds]),
    askedFor: false,
    state: In<DeliveryState>(['pending', 'delivering']),
  };
}
