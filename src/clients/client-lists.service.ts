import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { meaning, NAMES_LOOKED_MAX } from '../platform/kernel/text/name-search.js';
import type { Client } from './client.entity.js';
import { ClientsRepository } from './clients.repository.js';
import type { ClientWithForms } from './clients.service.js';

/** Lists some of the clients of an account, at the same cost however many there are. A client itself has none. */
@Injectable()
export class ClientLists {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly forms: FormQueries,
  ) {}

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

  /** Returns those of these clients that the scope has. */
  among({ accountId, clientId }: Scope, ids: readonly number[]): Promise<Client[]> {
    return clientId === null ? this.clients.among(accountId, ids) : Promise.resolve([]);
  }

  /** Returns clients with the first of their forms. */
  private async withForms(accountId: number, clients: Client[], formsMax: number) {
    const ids = clients.map((client) => client.id);
    const granted = await this.forms.firstGranted(accountId, ids, formsMax);
    return clients.map((client) => {
      return { client, forms: granted.filter((form) => form.clientId === client.id) };
    });
  }
}
