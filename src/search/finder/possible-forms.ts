import { Injectable } from '@nestjs/common';
import type { Scope } from '../../accounts/access/principal.js';
import { ABOUT_SUBMISSIONS, anyOfKind } from '../../deliveries/model/delivery-filter.js';
import { FEW_FORMS, FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import type { Condition, SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { ValueIndex } from '../values/value-index.js';
import { AccountRowsRepository } from './account-rows.repository.js';
import { FormRowsRepository } from './selection.js';

/** Tells which forms can have what a filter asks for, where an index knows. Each form is asked for one row. */
@Injectable()
export class PossibleForms {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly formRows: FormRowsRepository,
    private readonly values: ValueIndex,
    private readonly lists: FormQueries,
  ) {}

  /**
   * Finds them among all that a scope sees.
   * @returns null when no index tells, or there are more than FEW_FORMS
   */
  async in(scope: Scope, filter: SubmissionFilter): Promise<FormSummary[] | null> {
    const indexed = await this.indexed(filter);
    if (!indexed) return null;
    const found = await this.rows.formsWith(scope, indexed.there, FEW_FORMS + 1);
    const ids = [...new Set([...found, ...indexed.waiting])];
    return ids.length > FEW_FORMS ? null : this.lists.among(scope, ids);
  }

  /** Returns those among these forms; all of them where no index tells. */
  async among(formIds: readonly number[], filter: SubmissionFilter): Promise<readonly number[]> {
    const indexed = formIds.length > 1 ? await this.indexed(filter) : null;
    if (!indexed) return formIds;
    const found = await this.rows.formsWith(formIds, indexed.there, formIds.length);
    const left = new Set([...found, ...indexed.waiting]);
    return formIds.filter((id) => left.has(id));
  }

  /**
   * Returns the expression that has a value for a form that has what a filter asks for, and the forms of what waits to be
   * indexed; null where no index tells.
   */
  private async indexed(
    filter: SubmissionFilter,
  ): Promise<{ there: Condition; waiting: number[] } | null> {
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) {
      const digest = Buffer.from(value.digest, 'hex');
      const sql = firstForm('submission_values v WHERE v.form_id = form.id AND v.digest = ?');
      // What waits to be indexed is read first: it is then in one of the two.
      const ids = await this.values.waitingFor(value);
      const waiting = (await this.formRows.states(ids)).map(({ formId }) => formId);
      return { there: { sql, parameters: [digest] }, waiting };
    }
    const there = (sql: string, ...parameters: unknown[]) => {
      return { there: { sql, parameters }, waiting: [] };
    };
    if (mark !== undefined) {
      return there(firstForm('submission_marks m WHERE m.form_id = form.id AND m.mark = ?'), mark);
    }
    if (filter.held) {
      return there(
        firstForm("submission_verdicts v WHERE v.form_id = form.id AND v.band = 'held'"),
      );
    }
    if (filter.confirmation) {
      const sql = firstForm('opt_ins o WHERE o.form_id = form.id AND o.state = ?');
      return there(sql, filter.confirmation);
    }
    if (filter.failed) {
      const kinds = ABOUT_SUBMISSIONS.map(() => anyOfKind('failed')).join(', ');
      return there(`COALESCE(${kinds})`, ...ABOUT_SUBMISSIONS);
    }
    return filter.hasFile ? there(firstForm('files f WHERE f.form_id = form.id')) : null;
  }
}

/** Returns the expression that has a value when a form has a row of another table. */
function firstForm(rows: string): string {
  return `(SELECT form_id FROM ${rows} LIMIT 1)`;
}
