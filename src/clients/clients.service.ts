import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { FormsService, type SeenForm } from '../forms/forms.service.js';
import type { Token, TokenTerms } from '../tokens/token.entity.js';
import { TokensService, type IssuedToken } from '../tokens/tokens.service.js';
import { Client, type ClientDetails } from './client.entity.js';
import { ClientCreationForbidden, ClientNotFound } from './client.errors.js';
import { ClientsRepository } from './clients.repository.js';

/** A client and the forms it sees, oldest first. */
export interface ClientWithForms {
  client: Client;
  forms: SeenForm[];
}

/** How the input names the ids of forms, for errors about them. */
const FORM_IDS = 'client.form_ids';

/**
 * Keeps the clients of an account. To a client itself there are no clients: what it asks for here
 * does not exist.
 */
@Injectable()
export class ClientsService {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly forms: FormsService,
    private readonly tokens: TokensService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: Scope): Promise<ClientWithForms[]> {
    if (scope.clientId !== null) return [];
    const clients = await this.clients.list(scope.accountId);
    const forms = new Map<number, SeenForm[]>(clients.map(({ id }) => [id, []]));
    for (const form of await this.forms.grantedForms(scope.accountId, null)) {
      forms.get(form.clientId)?.push(form);
    }
    return clients.map((client) => ({ client, forms: forms.get(client.id) ?? [] }));
  }

  /** @throws ClientNotFound */
  async show(scope: Scope, id: number): Promise<ClientWithForms> {
    const client = await this.get(scope, id);
    return { client, forms: await this.forms.grantedForms(scope.accountId, id) };
  }

  /**
   * @param formIds the forms the client sees
   * @throws ClientEmailTaken, UnknownForms, ClientCreationForbidden
   */
  create(scope: Scope, details: ClientDetails, formIds: number[]): Promise<Client> {
    if (scope.clientId !== null) throw new ClientCreationForbidden();
    return this.unitOfWork.run(async (tx) => {
      const client = Client.create(scope.accountId, details);
      await this.clients.in(tx).save(client);
      await this.forms.setGrants(tx, client, formIds, FORM_IDS);
      return client;
    });
  }

  /**
   * @param formIds null leaves the forms as they are
   * @throws ClientNotFound, ClientEmailTaken, UnknownForms
   */
  async change(
    scope: Scope,
    id: number,
    details: Partial<ClientDetails>,
    formIds: number[] | null,
  ): Promise<ClientWithForms> {
    await this.get(scope, id);
    await this.unitOfWork.run(async (tx) => {
      const client = await this.clients.in(tx).getForUpdate(scope.accountId, id);
      client.change(details);
      await this.clients.in(tx).save(client);
      if (formIds) await this.forms.setGrants(tx, client, formIds, FORM_IDS);
    });
    return this.show(scope, id);
  }

  /**
   * Deletes a client with its tokens.
   * @throws ClientNotFound
   */
  async delete(scope: Scope, id: number): Promise<void> {
    await this.get(scope, id);
    await this.unitOfWork.run(async (tx) => {
      const client = await this.clients.in(tx).getForUpdate(scope.accountId, id);
      await this.tokens.revokeAllOf(tx, scope.accountId, id);
      await this.forms.setGrants(tx, client, [], FORM_IDS);
      await this.clients.in(tx).remove(client);
    });
  }

  /** Returns the client of a token; null when it was deleted. */
  find(accountId: number, id: number): Promise<Client | null> {
    return this.clients.find(accountId, id);
  }

  /** @throws ClientNotFound, RightsExceeded, ExpiryPassed */
  async issueToken(principal: Principal, id: number, terms: TokenTerms): Promise<IssuedToken> {
    await this.get(principal, id);
    return this.unitOfWork.run(async (tx) => {
      // Locked, or a client that is being deleted would leave this token behind.
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
  async revokeToken(scope: Scope, id: number, tokenId: number): Promise<void> {
    await this.get(scope, id);
    await this.tokens.revoke({ accountId: scope.accountId, clientId: id }, tokenId);
  }

  private async get(scope: Scope, id: number): Promise<Client> {
    if (scope.clientId !== null) throw new ClientNotFound();
    return this.clients.get(scope.accountId, id);
  }
}
