import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { RIGHTS } from '../access/rights.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { TokenTerms } from '../tokens/token.entity.js';
import { TokensService, type IssuedToken } from '../tokens/tokens.service.js';
import { Account, type AccountDetails } from './account.entity.js';
import { AccountChangeForbidden, AccountExists } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';

/** An account that was just opened, with the token that opens it. */
export interface OpenedAccount extends IssuedToken {
  account: Account;
}

const EMAIL_TTL_MS = 1_000;
const EMAILS_MAX = 10_000;

/** Opens accounts and finds them. */
@Injectable()
export class AccountsService {
  private readonly emails = new Map<number, { email: string | null; until: number }>();

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly tokens: TokensService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  list(): Promise<Account[]> {
    return this.accounts.list();
  }

  /** @throws AccountNotFound */
  get(id: number): Promise<Account> {
    return this.accounts.get(id);
  }

  /**
   * Where an account's owner gets mail; null when unset. A copy may be served for a second, since
   * every submission asks.
   */
  async emailOf(id: number): Promise<string | null> {
    const known = this.emails.get(id);
    if (known && known.until > performance.now()) return known.email;
    const { email } = await this.accounts.get(id);
    if (this.emails.size >= EMAILS_MAX) this.emails.clear();
    this.emails.set(id, { email, until: performance.now() + EMAIL_TTL_MS });
    return email;
  }

  /**
   * Changes an account; what is absent stays.
   * @throws AccountNotFound
   */
  async change(id: number, details: Partial<AccountDetails>): Promise<Account> {
    if (Object.keys(details).length > 0) {
      await this.unitOfWork.run((tx) => this.accounts.in(tx).change(id, details));
    }
    this.emails.delete(id);
    return this.accounts.get(id);
  }

  /**
   * Changes the account of `principal`.
   * @throws AccountChangeForbidden unless it acts for the account itself with every right
   */
  async changeAs(principal: Principal, details: Partial<AccountDetails>): Promise<Account> {
    const isOwner = principal.clientId === null && RIGHTS.every((right) => principal.has(right));
    if (!isOwner) throw new AccountChangeForbidden();
    return this.change(principal.accountId, details);
  }

  /** Opens an account with a first token that may do everything. */
  open(name: string, email: string | null): Promise<OpenedAccount> {
    return this.unitOfWork.run(async (tx) => {
      const account = await this.accounts.in(tx).save(Account.create(name, email, new Date()));
      return { account, ...(await this.tokens.issue(tx, account.id, firstToken())) };
    });
  }

  /**
   * Opens the first account, as the settings describe it.
   * @returns null when there is an account already, or another instance opened it just now
   */
  async bootstrap(): Promise<OpenedAccount | null> {
    if (!(await this.accounts.isEmpty())) return null;
    const { accountName, accountEmail, bootstrapToken } = this.config;
    const first = Account.create(accountName, accountEmail ?? null, new Date());
    try {
      return await this.unitOfWork.run(async (tx) => {
        const account = await this.accounts.in(tx).insertFirst(first);
        const issued = await this.tokens.issue(tx, account.id, firstToken(), bootstrapToken);
        return { account, ...issued };
      });
    } catch (error) {
      if (error instanceof AccountExists) return null;
      throw error;
    }
  }
}

function firstToken(): TokenTerms {
  return { name: 'First token', rights: [], expiresAt: null, clientId: null };
}
