import { Injectable } from '@nestjs/common';
import { Between, In, MoreThan } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { firstUuidAt } from '../../platform/index.js';
import { DigestEntry, Delivery, NOT_FAILED, SINGLE_MAILS } from '../model/delivery.entity.js';
import { hourOf, periodOf } from './digest-hour.js';

const IS_NOT_IN_TRASH = 'NOT EXISTS (SELECT 1 FROM submissions s WHERE s.id = delivery.submissionId AND s.trash = 1)';

/** Reads and writes digests, and the mails to one recipient within an hour. */
@Injectable()
export class DigestsRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);

  /** Tells whether `count` mails of any kind to the recipient came before this one in its hour. */
  async reachedBefore({ id, recipientKey, createdAt }: Delivery, count: number) {
    const last = await this.deliveries
      .createQueryBuilder('delivery')
      .select('delivery.id')
      .where({ recipientKey, kind: In([...SINGLE_MAILS]), state: In([...NOT_FAILED]) })
      .andWhere('delivery.id >= :from AND delivery.id < :id', { from: firstUuidAt(hourOf(createdAt)), id })
      // Those within a digest of a destination are no mails of their own.
      .andWhere('NOT EXISTS (SELECT 1 FROM digest_entries e WHERE e.delivery_id = delivery.id)')
      .offset(count - 1)
      .limit(1)
      .getOne();
    return last !== null;
  }

  find(id: Buffer): Promise<Delivery | null> {
    return this.deliveries.findOneBy({ id });
  }

  /** Stores a digest unless another worker already did. */
  async insert(digest: Delivery) {
    try {
      await this.deliveries.insert(digest);
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'deliveries.id')) throw error;
    }
  }

  /** Schedules a digest again that was sent or failed. Returns whether there was one. */
  async revive(id: Buffer, nextAttemptAt: Date) {
    const { affected } = await this.deliveries.update(
      { id, state: In(['delivered', 'failed']) },
      { state: 'pending', scheduledAttempts: 0, nextAttemptAt, settledAt: null },
    );
    return affected === 1;
  }

  /** Returns the digest of a destination that a mail is in; null for none. */
  async digestOf(deliveryId: Buffer): Promise<{ digest: Delivery | null } | null> {
    const entry = await this.source.manager.findOneBy(DigestEntry, { deliveryId });
    return entry && { digest: await this.find(entry.digestId) };
  }

  async add(entry: DigestEntry) {
    await this.source.manager.insert(DigestEntry, entry);
  }

  /** Takes mails out of their digests, as if they had failed. */
  async takeOut(ids: Buffer[]) {
    await this.leave(ids);
    await this.deliveries.update({ id: In(ids), state: 'delivered' }, { state: 'failed' });
  }

  /** Takes mails out of the digests that they are in. */
  async leave(ids: Buffer[]) {
    await this.source.manager.delete(DigestEntry, { deliveryId: In(ids) });
  }

  /** Tells whether a digest leaves after `time`, and keeps others from sending it until the transaction ends. */
  async leavesAfter(id: Buffer, time: Date) {
    const { affected } = await this.deliveries.update(
      { id, state: 'pending', nextAttemptAt: MoreThan(time) },
      { state: 'pending' },
    );
    return affected === 1;
  }

  /**
   * Gives the digests of a form that is deleted to another of the forms that they have yet to tell of; those that tell of
   * it alone stay.
   */
  async passOn(formId: number) {
    const waiting = In(['pending', 'delivering', 'failed']);
    const digests = await this.deliveries.findBy({ formId, kind: 'owner_digest', state: waiting });
    for (const digest of digests) {
      const others = this.told(digest).andWhere('delivery.formId <> :formId', { formId });
      const other = await others.limit(1).getOne();
      if (other) await this.deliveries.update({ id: digest.id }, { formId: other.formId });
    }
  }

  /** Returns the mails that a digest covers, oldest first; without those about what is in the trash. */
  covered(digest: Delivery, most: number): Promise<Delivery[]> {
    return this.told(digest).andWhere(IS_NOT_IN_TRASH).orderBy('delivery.id', 'ASC').limit(most).getMany();
  }

  private told({ id, formId, destinationId, recipientKey, createdAt }: Delivery) {
    const deliveries = this.deliveries.createQueryBuilder('delivery');
    if (destinationId) {
      return deliveries
        .innerJoin(DigestEntry, 'entry', 'entry.deliveryId = delivery.id')
        .where("entry.digestId = :id AND delivery.state = 'delivered'", { id });
    }
    const { begin, end } = periodOf('hour', createdAt);
    const ids = Between(firstUuidAt(begin), firstUuidAt(end));
    return deliveries
      .where({ recipientKey, id: ids, kind: 'owner_email', state: 'delivered' })
      .andWhere(
        'delivery.formId IN (SELECT f.id FROM forms f WHERE f.account_id = (SELECT g.account_id FROM forms g WHERE g.id = :of))',
        { of: formId },
      )
      .andWhere("EXISTS (SELECT 1 FROM attempts a WHERE a.delivery_id = delivery.id AND a.outcome = 'summarised')");
  }
}
