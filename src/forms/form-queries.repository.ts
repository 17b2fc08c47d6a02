import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/principal.js';
import { ReadManager, placeholders } from '../platform/database/sql.js';
import { entityOf, selectRows } from '../platform/database/select-rows.js';
import { Form } from './model/form.entity.js';
import { SUMMARY, type FormSummary } from './forms.repository.js';
import { comparable } from '../platform/kernel/text/name-search.js';
import { visibleByKey, visibleInOrder } from './access/visible-forms.js';

/** Reads a few of the forms of a scope; oldest first. */
@Injectable()
export class FormQueriesRepository {
  constructor(private readonly source: ReadManager) {}

  /** Returns the first forms after an id. */
  after(scope: Scope, id: number, limit: number): Promise<FormSummary[]> {
    return this.select(scope, ' AND form.id > ?', [id], limit);
  }

  /** Returns the first forms with all their columns. */
  async firstInFull(scope: Scope, limit: number): Promise<Form[]> {
    const { sql, values } = visibleInOrder(scope);
    const rows = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT form.* ${sql} ORDER BY form.id LIMIT ?`,
      [...values, limit],
    );
    const forms = this.source.manager.getRepository(Form);
    return rows.map((row) => entityOf(forms, row));
  }

  /** Returns those of these forms that the scope sees with all their columns. */
  async inFull(scope: Scope, ids: readonly number[]): Promise<Form[]> {
    if (ids.length === 0) return [];
    const { sql, values } = visibleByKey(scope);
    const rows = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT form.* ${sql} AND form.id IN (${placeholders(ids)})`,
      [...values, ...ids],
    );
    const forms = this.source.manager.getRepository(Form);
    return rows.map((row) => entityOf(forms, row)).sort((a, b) => a.id - b.id);
  }

  /** Returns those of these forms that the scope sees. */
  among(scope: Scope, ids: readonly number[]): Promise<FormSummary[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.selectKeys(scope, ` AND form.id IN (${placeholders(ids)})`, ids);
  }

  /** Returns the forms of these identifiers that the scope sees. */
  identified(scope: Scope, identifiers: readonly string[]): Promise<FormSummary[]> {
    if (identifiers.length === 0) return Promise.resolve([]);
    const condition = ` AND form.identifier IN (${placeholders(identifiers)})`;
    return this.selectKeys(scope, condition, identifiers);
  }

  /**
   * Returns forms whose names may have all of these words. Only letters and digits of ASCII are compared, in any
   * case; the rest is for the caller to compare.
   */
  named(scope: Scope, words: readonly string[], limit: number): Promise<FormSummary[]> {
    const compared = comparable(words);
    const condition = compared.map(() => ' AND INSTR(LOWER(form.name), ?) > 0').join('');
    return this.select(scope, condition, compared, limit);
  }

  private async selectKeys(
    scope: Scope,
    condition: string,
    keys: readonly (string | number)[],
  ): Promise<FormSummary[]> {
    const { sql, values } = visibleByKey(scope);
    const found = await selectRows<FormSummary>(
      this.source,
      `SELECT ${SUMMARY} ${sql}${condition}`,
      [...values, ...keys],
    );
    return found.sort((a, b) => a.id - b.id);
  }

  private select(
    scope: Scope,
    condition: string,
    more: readonly (string | number)[],
    limit: number,
  ): Promise<FormSummary[]> {
    const { sql, values } = visibleInOrder(scope);
    return selectRows(
      this.source,
      `SELECT ${SUMMARY} ${sql}${condition} ORDER BY form.id LIMIT ?`,
      [...values, ...more, limit],
    );
  }
}
