import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Form } from '../forms/form.entity.js';

/**
 * Returns whom the service writes to about a form: the recipients it names, or else the account's address.
 */
@Injectable()
export class FormOwners {
  constructor(private readonly accounts: AccountsService) {}

  async of({
    accountId,
    notifyOwnerEmails,
  }: Pick<Form, 'accountId' | 'notifyOwnerEmails'>): Promise<string[]> {
    const owners = notifyOwnerEmails ?? (await this.accounts.emailOf(accountId)) ?? '';
    return owners.split(',').filter((address) => address !== '');
  }
}
