import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TransactionalRepository, selectRows } from '../../platform/database/index.js';
import { FormGrant } from './form-grant.entity.js';
import { Form } from '../model/form.entity.js';
import { visibleTo } from './visible-forms.js';
import { inSlices } from '../../platform/index.js';

/** Most rows of one INSERT, far below the 32,766 parameters that SQLite takes. */
const INSERT_CHUNK = 200;

/** A form that a client sees, with the id of that client. */
export type GrantedForm = Pick<Form, 'id' | 'name' | 'identifier'> & { clientId: number };

/** Reads and writes which client sees which form. */
@Injectable()
export class FormGrantsRepository extends TransactionalRepository {
  private readonly grants = this.rowsOf(FormGrant);

  /** Returns grants of all clients of the account, or of one, with their forms, oldest first. */
  listGranted(accountId: number, clientId: number | null): Promise<GrantedForm[]> {
    const query = this.grants
      .createQueryBuilder('granting')
      .innerJoin(Form, 'form', 'form.id = granting.formId')
      .select('granting.clientId', 'clientId')
      .addSelect('form.id', 'id')
      .addSelect('form.name', 'name')
      .addSelect('form.identifier', 'identifier')
      .where('form.accountId = :accountId AND form.deletedAt IS NULL', { accountId })
      .orderBy('form.id', 'ASC');
    if (clientId !== null) query.andWhere('granting.clientId = :clientId', { clientId });
    return query.getRawMany<GrantedForm>();
  }

  /** Returns the first forms of each of these clients, oldest first. */
  async firstGranted(accountId: number, clientIds: readonly number[], limit: number): Promise<GrantedForm[]> {
    const parts = clientIds.map((clientId, index) => {
      const { sql, values } = visibleTo({ accountId, clientId });
      return {
        sql: `SELECT * FROM (SELECT access.client_id AS clientId, form.id, form.name, form.identifier
          ${sql} ORDER BY access.form_id LIMIT ?) AS g${index}`,
        values: [...values, limit],
      };
    });
    if (parts.length === 0) return [];
    return selectRows(
      this.source,
      parts.map(({ sql }) => sql).join(' UNION ALL '),
      parts.flatMap(({ values }) => values),
    );
  }

  async clientIdsOf(formId: number): Promise<number[]> {
    const found = await this.grants.findBy({ formId });
    return found.map(({ clientId }) => clientId);
  }

  /** Returns which clients see each of these forms. */
  async ofForms(formIds: readonly number[]): Promise<FormGrant[]> {
    if (formIds.length === 0) return [];
    return this.grants.find({ where: { formId: In([...formIds]) }, order: { formId: 'ASC', clientId: 'ASC' } });
  }

  async formIdsOf(clientIds: readonly number[]): Promise<number[]> {
    if (clientIds.length === 0) return [];
    const found = await this.grants.findBy({ clientId: In([...clientIds]) });
    return found.map(({ formId }) => formId);
  }

  /** Lets the client see exactly these forms. */
  async replace(clientId: number, formIds: number[]) {
    const before = new Set((await this.grants.findBy({ clientId })).map(({ formId }) => formId));
    if (before.size === formIds.length && formIds.every((id) => before.has(id))) return false;
    await this.grants.delete({ clientId });
    for (const chunk of inSlices(formIds, INSERT_CHUNK)) {
      await this.grants.insert(chunk.map((formId) => ({ clientId, formId })));
    }
    return true;
  }

  async add(clientId: number, formId: number) {
    await this.grants.insert({ clientId, formId });
  }

  async removeForm(formId: number) {
    await this.grants.delete({ formId });
  }
}
