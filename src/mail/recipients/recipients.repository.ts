import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { RecipientConfirmation } from './recipient-confirmation.entity.js';

/** Confirmations of recipients by intention. */
@Injectable()
export class RecipientsRepository extends TransactionalRepository {
  private readonly confirmations = this.rowsOf(RecipientConfirmation);

  listAmong(accountId: number, emailKeys: string[]): Promise<RecipientConfirmation[]> {
    return this.confirmations.findBy({ accountId, emailKey: In(emailKeys) });
  }

  /** Stores addresses that the account does not know yet; those it knows stay as they are. */
  async add(accountId: number, emailKeys: string[], confirmedAt: Date | null) {
    const known = new Set((await this.listAmong(accountId, emailKeys)).map((row) => row.emailKey));
    for (const emailKey of emailKeys.filter((key) => !known.has(key))) {
      try {
        await this.confirmations.insert({ accountId, emailKey, confirmedAt, askedAt: null });
      } catch (error) {
        const key = 'recipient_confirmations.account_id, recipient_confirmations.email_key';
        if (!isDuplicate(error, 'PRIMARY', key)) throw error;
      }
    }
  }

  async confirm(accountId: number, emailKeys: string[], now: Date) {
    await this.confirmations.update(
      { accountId, emailKey: In(emailKeys), confirmedAt: IsNull() },
      { confirmedAt: now },
    );
  }

  /**
   * Notes that an address is asked now.
   * @returns false when it is confirmed or was asked after `since`
   */
  async ask(accountId: number, emailKey: string, since: Date, now: Date) {
    const { affected } = await this.confirmations
      .createQueryBuilder()
      .update()
      .set({ askedAt: now })
      .where({ accountId, emailKey, confirmedAt: IsNull() })
      .andWhere('(asked_at IS NULL OR asked_at <= :since)', { since })
      .execute();
    return affected === 1;
  }
}
