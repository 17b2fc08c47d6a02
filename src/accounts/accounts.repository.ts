import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { TransactionalRepository, isDuplicate, selectEntities } from '../platform/database/index.js';
import { Account, type AccountDetails } from './account.entity.js';
import { AccountExists, AccountNotFound } from './account.errors.js';

/** Id of the account that a first start opens. It is fixed, so that one of several instances can insert it. */
const FIRST_ID = 1;

/** Reads and writes accounts. */
@Injectable()
export class AccountsRepository extends TransactionalRepository {
  private readonly accounts = this.rowsOf(Account);

  /** Returns all accounts, oldest first. */
  list(): Promise<Account[]> {
    return this.accounts.find({ order: { id: 'ASC' } });
  }

  /** @throws AccountNotFound */
  async get(id: number): Promise<Account> {
    const [account] = await selectEntities(this.source, Account, { id });
    if (!account) throw new AccountNotFound();
    return account;
  }

  /**
   * Changes the given details, at least one; the others stay.
   * @throws AccountNotFound
   */
  async change(id: number, details: Partial<AccountDetails>) {
    await this.accounts.update({ id }, details);
    await this.get(id);
  }

  /** Sets the address of an account that has none. */
  async setMissingEmail(id: number, email: string) {
    await this.accounts.update({ id, email: IsNull() }, { email });
  }

  isEmpty() {
    return this.accounts.exists().then((exists) => !exists);
  }

  save(account: Account): Promise<Account> {
    return this.accounts.save(account);
  }

  /** @throws AccountExists when another instance was faster */
  async insertFirst(account: Account): Promise<Account> {
    try {
      await this.accounts.insert(Object.assign(account, { id: FIRST_ID }));
      return account;
    } catch (error) {
      if (isDuplicate(error, 'PRIMARY', 'accounts.id')) throw new AccountExists();
      throw error;
    }
  }
}
