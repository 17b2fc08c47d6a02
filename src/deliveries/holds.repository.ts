import { Injectable } from '@nestjs/common';
import { Brackets, In, Not, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { Delivery, type DeliveryKind } from './delivery.entity.js';
import { UNTIL_RELEASED } from './until-released.js';

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
export class HoldsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): HoldsRepository {
    return new HoldsRepository({ manager: tx });
  }

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

  async release(submissionIds: readonly Buffer[], now: Date): Promise<void> {
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ nextAttemptAt: now })
      .where({ submissionId: In([...submissionIds]), state: 'pending' })
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .execute();
  }

  /** Withholds what is still pending, but for mails to owners, until a moment; those that were withheld are due. */
  async hold(submissionIds: readonly Buffer[], until: Date, now: Date): Promise<void> {
    const pending = { submissionId: In([...submissionIds]), state: 'pending' } as const;
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ nextAttemptAt: now })
      .where({ ...pending, kind: 'owner_email' })
      .andWhere(IS_WITHHELD)
      .setParameter('now', now)
      .execute();
    await this.deliveries.update(
      { ...pending, kind: Not<DeliveryKind>('owner_email') },
      { nextAttemptAt: until },
    );
  }

  async withhold(submissionIds: readonly Buffer[]): Promise<void> {
    const pending = { submissionId: In([...submissionIds]), state: 'pending' } as const;
    await this.deliveries.update(pending, { nextAttemptAt: UNTIL_RELEASED });
  }
}
