import { Injectable } from '@nestjs/common';
import {
  In,
  IsNull,
  Not,
  Raw,
  type EntityManager,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import type { Scope } from '../access/principal.js';
import { databaseTime } from '../platform/database/database-time.js';
import { ReadManager } from '../platform/database/read-manager.js';
import { forUpdate } from '../platform/database/row-lock.js';
import { FormGrant } from './form-grant.entity.js';
import { Form } from './form.entity.js';
import { FormNotFound } from './form.errors.js';

/** A form as lists show it. */
export type FormSummary = Pick<Form, 'id' | 'name' | 'identifier' | 'submissionCount'>;

/** A part of a list: `perPage` entries from the one numbered `(page - 1) * perPage`. */
export interface Slice {
  page: number;
  perPage: number;
}

/** Reads and writes forms. Deleted ones are found by `listUnpurged` alone. */
@Injectable()
export class FormsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): FormsRepository {
    return new FormsRepository({ manager: tx });
  }

  private get forms(): Repository<Form> {
    return this.source.manager.getRepository(Form);
  }

  /** Returns all forms, or one page of them, oldest first. */
  list(scope: Scope, page: Slice | null): Promise<FormSummary[]> {
    const query = this.visibleTo(scope)
      .select(['form.id', 'form.name', 'form.identifier', 'form.submissionCount'])
      .orderBy('form.id', 'ASC');
    if (page) query.limit(page.perPage).offset((page.page - 1) * page.perPage);
    return query.getMany();
  }

  count(scope: Scope): Promise<number> {
    return this.visibleTo(scope).getCount();
  }

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return one(this.visibleTo(scope), identifier);
  }

  /**
   * Returns the form and locks its row until the transaction ends.
   * @throws FormNotFound
   */
  getForUpdate(scope: Scope, identifier: string): Promise<Form> {
    return one(forUpdate(this.visibleTo(scope)), identifier);
  }

  /** Returns the forms of these identifiers in any account, for the intake. */
  findPublic(identifiers: string[]): Promise<Form[]> {
    return this.forms.findBy({ identifier: In(identifiers), deletedAt: IsNull() });
  }

  find(id: number): Promise<Form | null> {
    return this.forms.findOneBy({ id, deletedAt: IsNull() });
  }

  listUnpurged(): Promise<Form[]> {
    return this.forms.findBy({ deletedAt: Not(IsNull()), purgedAt: IsNull() });
  }

  listWithRetention(): Promise<Form[]> {
    return this.forms.findBy({ deletedAt: IsNull(), retentionDays: Not(IsNull()) });
  }

  /** Saves a form that was deleted, as of now by the database's clock. */
  async saveDeleted(form: Form): Promise<void> {
    await this.save(form);
    const deletedAt = () => databaseTime(this.source.manager.dataSource);
    await this.forms.update({ id: form.id }, { deletedAt });
  }

  /**
   * Notes that nothing is left of a deleted form, unless the deletion is younger than `seconds` by the
   * database's clock: then more may come.
   */
  async markPurged(id: number, seconds: number): Promise<void> {
    const { dataSource } = this.source.manager;
    const deletedAt = Raw((column) => `${column} < ${databaseTime(dataSource, -seconds)}`);
    await this.forms.update({ id, deletedAt }, { purgedAt: () => databaseTime(dataSource) });
  }

  async addToCount(id: number, by: number): Promise<void> {
    await this.source.manager.query(
      'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?',
      [by, id],
    );
  }

  /** Returns the forms of the account among these ids. */
  findAmong(accountId: number, ids: number[]): Promise<Form[]> {
    return this.forms.find({
      where: { accountId, id: In(ids), deletedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  save(form: Form): Promise<Form> {
    return this.forms.save(form);
  }

  private visibleTo({ accountId, clientId }: Scope): SelectQueryBuilder<Form> {
    const query = this.forms
      .createQueryBuilder('form')
      .where('form.accountId = :accountId AND form.deletedAt IS NULL', { accountId });
    if (clientId === null) return query;
    return query.innerJoin(
      FormGrant,
      'access',
      'access.formId = form.id AND access.clientId = :clientId',
      { clientId },
    );
  }
}

async function one(query: SelectQueryBuilder<Form>, identifier: string): Promise<Form> {
  const form = await query.andWhere('form.identifier = :identifier', { identifier }).getOne();
  // MySQL ignores trailing blanks when it compares.
  if (form?.identifier !== identifier) throw new FormNotFound();
  return form;
}
