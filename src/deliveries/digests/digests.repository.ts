import { Injectable } from '@nestjs/common';
import { Between, In, type Repository } from 'typeorm';
import { isDuplicate } from '../../platform/database/database.errors.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { firstUuidAt } from '../../platform/kernel/uuid.js';
import { Delivery, NOT_FAILED, SINGLE_MAILS } from '../model/delivery.entity.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';
import { hourOf } from './digest-hour.js';

/** Reads and writes digests, and the mails to one recipient within an hour. */
@Injectable()
export class DigestsRepository extends TransactionalRepository {
  private get deliveries(): Repository<Delivery> {
    return this.source.manager.getRepository(Delivery);
  }

  /** Tells whether `count` mails of any kind to the recipient came before this one in its hour. */
  async reachedBefore({ id, recipientKey, createdAt }: Delivery, count: number): Promise<boolean> {
    const last = await this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.id')
      .where({ recipientKey, kind: In([...SINGLE_MAILS]), state: In([...NOT_FAILED]) })
      .andWhere('delivery.id >= :from AND delivery.id < :id', {
        from: firstUuidAt(hourOf(createdAt)),
        id,
      })
      .offset(count - 1)
      .limit(1)
      .getOne();
    return last !== null;
  }

  find(id: Buffer): Promise<Delivery | null> {
    return this.deliveries.findOneBy({ id });
  }

  /** Stores a digest unless another worker already did. */
  async insert(digest: Delivery): Promise<void> {
    try {
      await this.deliveries.insert(digest);
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'deliveries.id')) throw error;
    }
  }

  /** Schedules a digest again that was sent or failed. Returns whether there was one. */
  async revive(id: Buffer, nextAttemptAt: Date): Promise<boolean> {
    const { affected } = await this.deliveries.update(
      { id, state: In(['delivered', 'failed']) },
      { state: 'pending', scheduledAttempts: 0, nextAttemptAt, settledAt: null },
    );
    return affected === 1;
  }

  /** Returns the owner mails that a digest covers, oldest first. */
  covered({ formId, recipientKey, createdAt }: Delivery, most: number): Promise<Delivery[]> {
    const hour = hourOf(createdAt);
    const id = Between(firstUuidAt(hour), firstUuidAt(new Date(hour.getTime() + HOUR_MS)));
    return this.deliveries
      .createQueryBuilder('delivery')
      .where({ recipientKey, id, kind: 'owner_email', state: 'delivered' })
      .andWhere(
        'delivery.formId IN (SELECT f.id FROM forms f WHERE f.account_id = (SELECT g.account_id FROM forms g WHERE g.id = :formId))',
        { formId },
      )
      .andWhere(
        "EXISTS (SELECT 1 FROM attempts a WHERE a.delivery_id = delivery.id AND a.outcome = 'summarised')",
      )
      .orderBy('delivery.id', 'ASC')
      .limit(most)
      .getMany();
  }
}
