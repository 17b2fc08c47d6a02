import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Form } from '../forms/form.entity.js';
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

  async of({ accountId, notifyOwnerEmails, ownerRecipients }: Form): Promise<string[]> {
    if (notifyOwnerEmails !== null) return this.recipients.reachable(accountId, ownerRecipients);
    const email = await this.accounts.emailOf(accountId);
    return email === null ? [] : [email];
  }
}
