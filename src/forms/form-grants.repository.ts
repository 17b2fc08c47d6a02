import { Injectable } from '@nestjs/common';
import type { EntityManager, Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { FormGrant } from './form-grant.entity.js';
import { Form } from './form.entity.js';

/** Most rows that one statement inserts. */
const INSERT_CHUNK = 200;

/** A form as its clients see it. */
export type GrantedForm = Pick<Form, 'id' | 'name' | 'identifier'> & { clientId: number };

/** Reads and writes which client sees which form. */
@Injectable()
export class FormGrantsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): FormGrantsRepository {
    return new FormGrantsRepository({ manager: tx });
  }

  private get grants(): Repository<FormGrant> {
    return this.source.manager.getRepository(FormGrant);
  }

  /** Returns grants of all clients of the account, or of one, with their forms, oldest first. */
  listGranted(accountId: number, clientId: number | null): Promise<GrantedForm[]> {
    const query = this.grants
      .createQueryBuilder('access')
      .innerJoin(Form, 'form', 'form.id = access.formId')
      .select('access.clientId', 'clientId')
      .addSelect('form.id', 'id')
      .addSelect('form.name', 'name')
      .addSelect('form.identifier', 'identifier')
      .where('form.accountId = :accountId AND form.deletedAt IS NULL', { accountId })
      .orderBy('form.id', 'ASC');
    if (clientId !== null) query.andWhere('access.clientId = :clientId', { clientId });
    return query.getRawMany<GrantedForm>();
  }

  /** Lets the client see exactly these forms. */
  async replace(clientId: number, formIds: number[]): Promise<void> {
    await this.grants.delete({ clientId });
    for (let from = 0; from < formIds.length; from += INSERT_CHUNK) {
      const chunk = formIds.slice(from, from + INSERT_CHUNK);
      await this.grants.insert(chunk.map((formId) => ({ clientId, formId })));
    }
  }

  async add(clientId: number, formId: number): Promise<void> {
    await this.grants.insert({ clientId, formId });
  }

  async removeForm(formId: number): Promise<void> {
    await this.grants.delete({ formId });
  }
}
