import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import { FormsRepository } from './forms.repository.js';

const FIRST = { page: 1, perPage: 1 };

/** Says who sees which forms. */
@Injectable()
export class FormAccess {
  constructor(
    private readonly forms: FormsRepository,
    private readonly grants: FormGrantsRepository,
  ) {}

  /** Returns the ids of the clients that see a form. */
  clientsOf(formId: number): Promise<number[]> {
    return this.grants.clientIdsOf(formId);
  }

  /** Returns the ids of the clients that see each of these forms, by the form; without forms that none sees. */
  async clientsOfEach(formIds: readonly number[]): Promise<Map<number, number[]>> {
    const clients = new Map<number, number[]>();
    for (const { formId, clientId } of await this.grants.ofForms(formIds)) {
      clients.set(formId, [...(clients.get(formId) ?? []), clientId]);
    }
    return clients;
  }

  /** Returns the ids of the forms that clients see, on the connection of a transaction that asks. */
  formsOf(clientIds: readonly number[], tx?: EntityManager): Promise<number[]> {
    return (tx ? this.grants.in(tx) : this.grants).formIdsOf(clientIds);
  }

  /** Returns the id of the first form in a scope; null when it has none. */
  async firstForm(scope: Scope, tx?: EntityManager): Promise<number | null> {
    const [first] = await (tx ? this.forms.in(tx) : this.forms).list(scope, FIRST);
    return first?.id ?? null;
  }

  /** Returns the ids of the forms of an account that none of these clients sees, within a transaction. */
  async hiddenFrom(
    tx: EntityManager,
    accountId: number,
    clientIds: readonly number[],
  ): Promise<number[]> {
    const seen = await this.grants.in(tx).formIdsOf(clientIds);
    const all = await this.forms.in(tx).list({ accountId, clientId: null }, null);
    return all.map(({ id }) => id).filter((id) => !seen.includes(id));
  }
}
