import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Form } from '../forms/form.entity.js';
import { RecipientsService } from './recipients.service.js';

/**
 * Says who is told of what happens to a form: whom it names and who has not to confirm it first, or,
 * when it names nobody, the address of its account.
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
