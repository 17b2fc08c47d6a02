import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { makeUuid } from '../../platform/index.js';
import { Attempt, Delivery, queued, QueuedChange } from '../model/delivery.entity.js';
import { CALLS } from '../model/outcome.js';
import { FailingRecipient } from './model/failing-recipient.entity.js';

/** Keeps what became of mails after a server had accepted them, and the addresses that take none. */
@Injectable()
export class BouncesRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FailingRecipient);
  private readonly deliveries = this.rowsOf(Delivery);

  /** Returns the mails with these ids, but those that are forgotten, and what is none. */
  async mails(ids: Buffer[]): Promise<Delivery[]> {
    const found = await this.deliveries.findBy({ id: In(ids) });
    return found.filter(({ kind }) => !CALLS.includes(kind));
  }

  /**
   * Adds a report to the attempts of a mail. One that bounced has failed, unless it is being tried again now.
   * @returns false when the same was stored before: reports come twice
   */
  async record(delivery: Delivery, report: Omit<Attempt, 'id' | 'deliveryId'>) {
    const attempts = this.rowsOf(Attempt);
    const { at, outcome, answer } = report;
    const known = await attempts.findBy({ deliveryId: delivery.id, outcome });
    if (known.some((attempt) => attempt.answer === answer)) return false;
    await attempts.insert({ ...report, deliveryId: delivery.id, id: makeUuid() });
    if (outcome !== 'bounced') return true;
    const changes = delivery.comeBack(at);
    const { id, state, nextAttemptAt, settledAt, fate } = delivery;
    const { affected } = await this.deliveries.update(
      { id, state: In(['pending', 'delivered']) },
      { state, nextAttemptAt, settledAt, fate },
    );
    if (affected !== 0 && changes.length > 0) await this.rowsOf(QueuedChange).insert(changes.map(queued));
    return true;
  }

  listAmong(accountId: number, emails: readonly string[]): Promise<FailingRecipient[]> {
    if (emails.length === 0) return Promise.resolve([]);
    const emailHash = In(emails.map((email) => FailingRecipient.hashOf(email)));
    return this.rows.find({ where: { accountId, emailHash }, order: { since: 'DESC' } });
  }

  /** Returns the newest that mails of a form showed. */
  listOfForm(formId: number, limit: number): Promise<FailingRecipient[]> {
    return this.rows.find({ where: { formId }, order: { since: 'DESC' }, take: limit });
  }

  /** Stores an address; one that is known stays as it is. */
  async add(row: Omit<FailingRecipient, 'stops'>) {
    const { accountId, emailHash } = row;
    const known = await this.rows.findOneBy({ accountId, emailHash });
    // A bounce says more than a complaint: nothing is sent there any more.
    if (known && (known.kind === row.kind || known.kind === 'permanent')) return;
    try {
      if (known) await this.rows.update({ accountId, emailHash }, row);
      else await this.rows.insert(row);
    } catch (error) {
      const key = 'failing_recipients.account_id, failing_recipients.email_hash';
      if (!isDuplicate(error, 'PRIMARY', key)) throw error;
    }
  }

  async remove(accountId: number, email: string) {
    await this.rows.delete({ accountId, emailHash: FailingRecipient.hashOf(email) });
  }
}
