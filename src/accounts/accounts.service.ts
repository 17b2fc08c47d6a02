import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { COMMAND_LINE, type Actor, type Principal, RIGHTS } from './access/index.js';
import { AuditService } from './audit/audit.service.js';
import { Config, DEFAULT_ACCOUNT_NAME } from '../platform/index.js';
import { UnitOfWork } from '../platform/database/index.js';
import type { TokenTerms } from './tokens/token.entity.js';
import { TokensService, type IssuedToken } from './tokens/tokens.service.js';
import { Account, type AccountDetails } from './account.entity.js';
import { AccountChangeForbidden, AccountExists } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';

/** An account that was just opened, with its first token. */
export interface OpenedAccount extends IssuedToken {
  account: Account;
}

/** Opens the first account, with what the settings say. */
const FIRST_START: Actor = { ...COMMAND_LINE, name: 'First start' };
/** Age in milliseconds up to which details are served from memory; `change` here is seen at once. */
const DETAILS_TTL_MS = 1_000;
/** Accounts whose details are kept in memory, about a megabyte. */
const DETAILS_MAX = 10_000;

/** Opens, finds and changes accounts. */
@Injectable()
export class AccountsService {
  private readonly details = new Map<number, AccountDetails & { until: number }>();

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  list(): Promise<Account[]> {
    return this.accounts.list();
  }

  /** Tells whether any account is open. */
  async hasAny() {
    return !(await this.accounts.isEmpty());
  }

  /** @throws AccountNotFound */
  get(id: number): Promise<Account> {
    return this.accounts.get(id);
  }

  /**
   * Returns the address of an account's owner; null when unset. The address may be a second old, since
   * every submission asks for it.
   * @param tx the transaction that asks, which takes no second connection
   * @throws AccountNotFound
   */
  async emailOf(id: number, tx?: EntityManager): Promise<string | null> {
    return (await this.detailsOf(id, tx)).email;
  }

  /** Returns what visitors and owners know the account by; null while it has no name of its own. */
  async nameOf(id: number): Promise<string | null> {
    const { name } = await this.detailsOf(id);
    return name === DEFAULT_ACCOUNT_NAME ? null : name;
  }

  /**
   * Changes the given details of an account; the others stay.
   * @throws AccountNotFound
   */
  async change(actor: Actor, id: number, details: Partial<AccountDetails>): Promise<Account> {
    const settings = Object.keys(details).join(',');
    if (settings !== '') {
      await this.unitOfWork.run(async (tx) => {
        await this.accounts.in(tx).change(id, details);
        const { name } = await this.accounts.in(tx).get(id);
        const target = { kind: 'account', id, name };
        const event = { accountId: id, action: 'account.changed', target } as const;
        await this.audit.record(tx, actor, { ...event, details: { settings } });
      });
    }
    this.details.delete(id);
    return this.accounts.get(id);
  }

  /** Sets the address of an account to that of its first owner, unless it has one. */
  setMissingEmail(tx: EntityManager, id: number, email: string) {
    return this.accounts.in(tx).setMissingEmail(id, email);
  }

  /**
   * Changes the account of `principal`.
   * @throws AccountChangeForbidden unless it acts for the account itself with every right
   */
  async changeAs(principal: Principal, details: Partial<AccountDetails>): Promise<Account> {
    assertOwns(principal);
    return this.change(principal.actor, principal.accountId, details);
  }

  /** Opens an account with a first token that has every right. */
  open(name: string, email: string | null): Promise<OpenedAccount> {
    return this.unitOfWork.run(async (tx) => {
      const account = await this.accounts.in(tx).save(Account.create(name, email, new Date()));
      return this.issueFirst(tx, COMMAND_LINE, account);
    });
  }

  /**
   * Opens the first account, as the settings describe it.
   * @returns null when there is an account already, or another instance opened it just now
   * @throws SecretTaken when BOOTSTRAP_TOKEN belongs to a token already
   */
  async bootstrap(): Promise<OpenedAccount | null> {
    if (await this.hasAny()) return null;
    const { accountName, accountEmail, bootstrapToken } = this.config;
    const first = Account.create(accountName, accountEmail ?? null, new Date());
    try {
      return await this.unitOfWork.run(async (tx) => {
        const account = await this.accounts.in(tx).insertFirst(first);
        return this.issueFirst(tx, FIRST_START, account, bootstrapToken);
      });
    } catch (error) {
      if (error instanceof AccountExists) return null;
      throw error;
    }
  }

  private async issueFirst(tx: EntityManager, actor: Actor, account: Account, secret?: string): Promise<OpenedAccount> {
    const { id, name } = account;
    const target = { kind: 'account', id, name };
    await this.audit.record(tx, actor, { accountId: id, action: 'account.opened', target });
    const issued = await this.tokens.issue(tx, actor, id, firstToken(), secret);
    return { account, ...issued };
  }

  /** Returns what was true at most a second ago, since every submission asks. */
  private async detailsOf(id: number, tx?: EntityManager): Promise<AccountDetails> {
    const known = this.details.get(id);
    if (known && known.until > performance.now()) return known;
    const { email, name } = await this.accounts.in(tx).get(id);
    if (this.details.size >= DETAILS_MAX) this.details.clear();
    this.details.set(id, { email, name, until: performance.now() + DETAILS_TTL_MS });
    return { email, name };
  }
}

function firstToken(): TokenTerms {
  return { name: 'First token', rights: [], expiresAt: null, clientId: null };
}

/** @throws AccountChangeForbidden unless the principal acts for the account itself with every right */
export function assertOwns(principal: Principal) {
  const isOwner = principal.clientId === null && RIGHTS.every((right) => principal.has(right));
  if (!isOwner) throw new AccountChangeForbidden();
}
