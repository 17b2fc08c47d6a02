import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Form } from '../forms/form.entity.js';

/** Says who is told of what happens to a form: whom it names, or else the address of its account. */
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
