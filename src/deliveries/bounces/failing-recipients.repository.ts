import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/sql.js';
import { FailingRecipient } from './model/failing-recipient.entity.js';

/** Addresses that take no mails, by intention. */
@Injectable()
export class FailingRecipientsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FailingRecipient);

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
  async add(row: FailingRecipient): Promise<void> {
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

  async remove(accountId: number, email: string): Promise<void> {
    await this.rows.delete({ accountId, emailHash: FailingRecipient.hashOf(email) });
  }
}
