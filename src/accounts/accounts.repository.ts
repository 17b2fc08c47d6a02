import { Injectable } from '@nestjs/common';
import type { EntityManager, Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { isDuplicate } from '../platform/database/database.errors.js';
import { Account, type AccountDetails } from './account.entity.js';
import { AccountExists, AccountNotFound } from './account.errors.js';

/** The id of the account that a first start makes; fixed, so that only one of many instances can. */
const FIRST_ID = 1;

/** Reads and writes accounts. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): AccountsRepository {
    return new AccountsRepository({ manager: tx });
  }

  private get accounts(): Repository<Account> {
    return this.source.manager.getRepository(Account);
  }

  /** Oldest first. */
  list(): Promise<Account[]> {
    return this.accounts.find({ order: { id: 'ASC' } });
  }

  /** @throws AccountNotFound */
  async get(id: number): Promise<Account> {
    const account = await this.accounts.findOneBy({ id });
    if (!account) throw new AccountNotFound();
    return account;
  }

  /**
   * Changes what is given of an account, at least one thing.
   * @throws AccountNotFound
   */
  async change(id: number, details: Partial<AccountDetails>): Promise<void> {
    await this.accounts.update({ id }, details);
    await this.get(id);
  }

  isEmpty(): Promise<boolean> {
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
