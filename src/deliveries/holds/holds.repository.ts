import { Injectable } from '@nestjs/common';
import { Brackets, In, IsNull, Not, type FindOptionsWhere, type Repository } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
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

  /** Withholds what is not over, but for mails to owners, until a moment; those of them that were withheld are due. */
  async hold(submissionIds: readonly Buffer[], until: Date, now: Date): Promise<void> {
    const open = openOf(submissionIds);
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

  async withhold(submissionIds: readonly Buffer[]): Promise<void> {
    await this.deliveries.update(openOf(submissionIds), { nextAttemptAt: UNTIL_RELEASED });
  }
}

/**
 * Finds what is not over, but for what was asked for although its submission is held or spam. What is under way now
 * waits if its try fails.
 */
function openOf(submissionIds: readonly Buffer[]): FindOptionsWhere<Delivery> {
  return {
    submissionId: In([...submissionIds]),
    askedFor: false,
    state: In<DeliveryState>(['pending', 'delivering']),
  };
}
