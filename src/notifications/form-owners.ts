import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { RecipientsService } from './recipients.service.js';

/**
 * Finds who gets the owner mails of a form: the recipients it names, without those who have yet to confirm;
 * or the address of its account when it names nobody.
 */
@Injectable()
export class FormOwners {
  constructor(
    private readonly accounts: AccountsService,
    private readonly recipients: RecipientsService,
  ) {}

  /** @param tx the transaction that asks, which takes no second connection */
  async of(
    { accountId, notifyOwnerEmails, ownerRecipients }: Form,
    tx?: EntityManager,
  ): Promise<string[]> {
    if (notifyOwnerEmails !== null) {
      return this.recipients.reachable(accountId, ownerRecipients, tx);
    }
    const email = await this.accounts.emailOf(accountId, tx);
    return email === null ? [] : [email];
  }
}
