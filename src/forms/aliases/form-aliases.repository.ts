import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { isDuplicate, placeholders, TransactionalRepository, selectRows } from '../../platform/database/index.js';
import { Form } from '../model/form.entity.js';
import { isFormIdentifier } from '../model/form-changes.js';
import { AliasTaken } from './alias.errors.js';
import { FormAlias } from './form-alias.entity.js';
import type { Provider } from './old-address.js';

/** An alias with the form that it leads to. */
export interface Route {
  id: number;
  value: string;
  provider: Provider;
  /** Identifier of the form. */
  identifier: string;
}

/** Reads and writes aliases. */
@Injectable()
export class FormAliasesRepository extends TransactionalRepository {
  private readonly aliases = this.rowsOf(FormAlias);

  /** Returns the aliases of a form, oldest first. */
  listOf(formId: number): Promise<FormAlias[]> {
    return this.aliases.find({ where: { formId }, order: { id: 'ASC' } });
  }

  /** Returns the aliases of an account that lead somewhere, the last used first. */
  listOfAccount(accountId: number): Promise<FormAlias[]> {
    return this.aliases.find({ where: { accountId, formId: Not(IsNull()) }, order: { lastUsedAt: 'DESC', id: 'ASC' } });
  }

  findByValue(value: string): Promise<FormAlias | null> {
    return this.aliases.findOneBy({ value });
  }

  find(formId: number, id: number): Promise<FormAlias | null> {
    return this.aliases.findOneBy({ id, formId });
  }

  /** Returns where these values lead, in any account, for the intake. */
  routes(values: string[]): Promise<Route[]> {
    return selectRows(
      this.source,
      `SELECT alias.id, alias.value, alias.provider, form.identifier
       FROM form_aliases alias INNER JOIN \`forms\` form ON form.id = alias.form_id
       WHERE form.deleted_at IS NULL AND alias.value IN (${placeholders(values)})`,
      values,
    );
  }

  /** Tells whether a value is the identifier of a form that exists, or did. */
  async isIdentifier(value: string) {
    if (!isFormIdentifier(value)) return false;
    return this.source.manager.getRepository(Form).existsBy({ identifier: value });
  }

  /** @throws AliasTaken */
  async save(alias: FormAlias): Promise<FormAlias> {
    try {
      return await this.aliases.save(alias);
    } catch (error) {
      if (isDuplicate(error, 'uq_form_aliases_value', 'form_aliases.value')) {
        throw new AliasTaken(alias.value, null);
      }
      throw error;
    }
  }

  /** Has values lead nowhere. They stay with their account. */
  async release(where: { id: number } | { formId: number }) {
    await this.aliases.update(where, { formId: null, lastPage: null });
  }

  /** Forgets a value, so that any account can have it. @returns whether there was one */
  async delete(value: string) {
    const { affected } = await this.aliases.delete({ value: In([value]) });
    return (affected ?? 0) > 0;
  }

  async touch(id: number, lastUsedAt: Date, lastPage: string | null) {
    await this.aliases.update({ id }, { lastUsedAt, lastPage });
  }
}
