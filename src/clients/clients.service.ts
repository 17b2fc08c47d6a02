import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientLock, FormsService } from '../forms/forms.service.js';
import { hook, Hooks, meaning, NAMES_LOOKED_MAX } from '../platform/index.js';
import type { Scope, Principal } from '../accounts/access/index.js';
import { FormQueries, type GrantedForm } from '../forms/form-queries.service.js';
import { Client, type ClientDetails } from './client.entity.js';
import { ClientsRepository } from './clients.repository.js';
import type { AuditTarget } from '../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { UnitOfWork } from '../platform/database/index.js';
import type { Token, TokenTerms } from '../accounts/tokens/token.entity.js';
import { TokensService, type IssuedToken } from '../accounts/tokens/tokens.service.js';
import { ClientCreationForbidden, ClientNotFound } from './client.errors.js';

/** A client and the forms it sees, oldest first. */
export interface ClientWithForms {
  client: Client;
  forms: GrantedForm[];
}

/** The ids that name a client. */
export type ClientKey = Pick<Client, 'id' | 'accountId'>;

/** Runs in each transaction that takes forms from a client. */
export const FormsTaken = hook<(tx: EntityManager, client: ClientKey) => Promise<void> | void>();
/** The work that a transaction leaves for after its commit. */
export type AfterCommit = (() => Promise<void>)[];

/** Runs in each transaction that deletes a client. */
export const ClientDeleted = hook<(tx: EntityManager, client: ClientKey, after: AfterCommit) => Promise<void>>();

/** How the input names the ids of forms, for errors about them. */
const FORM_IDS = 'client.form_ids';

/**
 * Creates, shows, changes and deletes the clients of an account, and issues their tokens. A client itself
 * has no clients: every id is unknown to it.
 */
@Injectable()
export class ClientsService {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly forms: FormsService,
    private readonly access: FormQueries,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
  ) {}

  @ClientLock()
  async lock(tx: EntityManager, accountId: number, id: number): Promise<void> {
    await this.clients.in(tx).getForUpdate(accountId, id);
  }

  async list(scope: Scope): Promise<ClientWithForms[]> {
    if (scope.clientId !== null) return [];
    const clients = await this.clients.list(scope.accountId);
    const forms = new Map<number, GrantedForm[]>(clients.map(({ id }) => [id, []]));
    for (const form of await this.access.grantedForms(scope.accountId, null)) {
      forms.get(form.clientId)?.push(form);
    }
    return clients.map((client) => ({ client, forms: forms.get(client.id) ?? [] }));
  }

  /** @throws ClientNotFound */
  async show(scope: Scope, id: number): Promise<ClientWithForms> {
    const client = await this.get(scope, id);
    return { client, forms: await this.access.grantedForms(scope.accountId, id) };
  }

  /**
   * Creates a client.
   * @param formIds the forms the client sees
   * @throws ClientEmailTaken, UnknownForms, ClientCreationForbidden
   */
  async create(principal: Principal, details: ClientDetails, formIds: number[]): Promise<Client> {
    if (principal.clientId !== null) throw new ClientCreationForbidden();
    return this.unitOfWork.run(async (tx) => {
      const client = Client.create(principal.accountId, details);
      await this.clients.in(tx).save(client);
      await this.forms.setGrants(tx, client, formIds, FORM_IDS);
      const target = clientTarget(client);
      const granted = { forms: formIds.join(',') };
      await this.audit.recordBy(tx, principal, { action: 'client.created', target, details: granted });
      return client;
    });
  }

  /**
   * Changes the given details of a client.
   * @param formIds the forms the client sees from now on; null leaves them as they are
   * @throws ClientNotFound, ClientEmailTaken, UnknownForms
   */
  async change(
    principal: Principal,
    id: number,
    details: Partial<ClientDetails>,
    formIds: number[] | null,
  ): Promise<ClientWithForms> {
    await this.get(principal, id);
    await this.unitOfWork.run(async (tx) => {
      const client = await this.clients.in(tx).getForUpdate(principal.accountId, id);
      const changed = client.change(details);
      await this.clients.in(tx).save(client);
      const target = clientTarget(client);
      if (changed.length > 0) {
        const settings = changed.join(',');
        await this.audit.recordBy(tx, principal, { action: 'client.changed', target, details: { settings } });
      }
      if (formIds) await this.setForms(tx, principal, client, formIds);
    });
    return this.show(principal, id);
  }

  /** Refuses a client that is not of this scope. @throws ClientNotFound */
  async assertHas(scope: Scope, id: number) {
    await this.get(scope, id);
  }

  /**
   * Lets a client see these forms besides its own, and those no longer.
   * @throws ClientNotFound, UnknownForms
   */
  async changeForms(principal: Principal, id: number, granted: readonly number[], withdrawn: readonly number[]) {
    await this.get(principal, id);
    await this.unitOfWork.run(async (tx) => {
      const client = await this.clients.in(tx).getForUpdate(principal.accountId, id);
      const wanted = new Set([...(await this.access.formsOf([id], tx)), ...granted]);
      for (const formId of withdrawn) wanted.delete(formId);
      await this.setForms(tx, principal, client, [...wanted]);
    });
  }

  /**
   * Deletes a client with its tokens.
   * @throws ClientNotFound
   */
  async delete(principal: Principal, id: number) {
    const { accountId } = principal;
    await this.get(principal, id);
    const tasks = await this.unitOfWork.run(async (tx) => {
      const client = await this.clients.in(tx).getForUpdate(accountId, id);
      const target = clientTarget(client);
      await this.audit.recordBy(tx, principal, { action: 'client.deleted', target });
      await this.tokens.revokeAllOf(tx, accountId, id);
      await this.forms.setGrants(tx, client, [], FORM_IDS);
      await this.follow(tx, client);
      const after: AfterCommit = [];
      await this.hooks.run(ClientDeleted, tx, client, after);
      await this.clients.in(tx).remove(client);
      return after;
    });
    for (const task of tasks) await task();
  }

  /**
   * Records a change of what belongs to a client, which nobody else changes or deletes meanwhile.
   * @throws ClientNotFound
   */
  async recordChange(tx: EntityManager, principal: Principal, id: number, details: Record<string, string>) {
    const target = clientTarget(await this.clients.in(tx).getForUpdate(principal.accountId, id));
    await this.audit.recordBy(tx, principal, { action: 'client.changed', target, details });
  }

  /** Returns the client of a token; null when it was deleted. */
  find(accountId: number, id: number): Promise<Client | null> {
    return this.clients.find(accountId, id);
  }

  /** @throws ClientNotFound, RightsExceeded, ExpiryExceeded, ExpiryPassed, InvalidToken */
  async issueToken(principal: Principal, id: number, terms: TokenTerms): Promise<IssuedToken> {
    await this.get(principal, id);
    return this.unitOfWork.run(async (tx) => {
      // Without the lock a client that is being deleted would leave this token behind.
      await this.clients.in(tx).getForUpdate(principal.accountId, id);
      return this.tokens.issueWithin(tx, principal, { ...terms, clientId: id });
    });
  }

  /** @throws ClientNotFound */
  async listTokens(scope: Scope, id: number): Promise<Token[]> {
    await this.get(scope, id);
    return this.tokens.list({ accountId: scope.accountId, clientId: id });
  }

  /** @throws ClientNotFound, TokenNotFound */
  async revokeToken(principal: Principal, id: number, tokenId: number) {
    await this.get(principal, id);
    const { accountId, actor } = principal;
    await this.tokens.revoke(actor, { accountId, clientId: id }, tokenId);
  }

  private async setForms(tx: EntityManager, principal: Principal, client: Client, formIds: number[]) {
    if (!(await this.forms.setGrants(tx, client, formIds, FORM_IDS))) return;
    await this.audit.recordBy(tx, principal, {
      action: 'client.forms_changed',
      target: clientTarget(client),
      details: { forms: formIds.join(',') },
    });
    await this.follow(tx, client);
  }

  private async follow(tx: EntityManager, client: Client) {
    await this.hooks.run(FormsTaken, tx, client);
  }

  private async get(scope: Scope, id: number) {
    if (scope.clientId !== null) throw new ClientNotFound();
    return this.clients.get(scope.accountId, id);
  }

  /**
   * Returns the first clients after an id, oldest first.
   * @param formsMax forms of each that are named at most
   */
  async listAfter(
    { accountId, clientId }: Scope,
    id: number,
    limit: number,
    formsMax: number,
  ): Promise<ClientWithForms[]> {
    if (clientId !== null) return [];
    const clients = await this.clients.listAfter(accountId, id, limit);
    return this.withForms(accountId, clients, formsMax);
  }

  /**
   * Returns the first clients that have every one of these words in their names or addresses, in any case.
   * @param formsMax forms of each that are named at most
   */
  async named(
    { accountId, clientId }: Scope,
    words: readonly string[],
    limit: number,
    formsMax: number,
  ): Promise<ClientWithForms[]> {
    if (clientId !== null) return [];
    const isMeant = meaning(words);
    const found = await this.clients.named(accountId, words, NAMES_LOOKED_MAX);
    const meant = found.filter(({ name, email }) => isMeant(`${name} ${email}`));
    return this.withForms(accountId, meant.slice(0, limit), formsMax);
  }

  /** Returns the first clients, oldest first, without their forms. */
  first({ accountId, clientId }: Scope, limit: number): Promise<Client[]> {
    return clientId === null ? this.clients.listAfter(accountId, 0, limit) : Promise.resolve([]);
  }

  /** Returns which of these clients the scope has. */
  among({ accountId, clientId }: Scope, ids: readonly number[]): Promise<Client[]> {
    return clientId === null ? this.clients.among(accountId, ids) : Promise.resolve([]);
  }

  /** Returns clients with the first of their forms. */
  private async withForms(accountId: number, clients: Client[], formsMax: number) {
    const ids = clients.map((client) => client.id);
    const granted = await this.access.firstGranted(accountId, ids, formsMax);
    return clients.map((client) => {
      return { client, forms: granted.filter((form) => form.clientId === client.id) };
    });
  }
}

/** Names a client in the audit log. */
function clientTarget({ id, name }: Client): AuditTarget {
  return { kind: 'client', id, name };
}
