import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { placeholders, TransactionalRepository, insertMissing, selectRows } from '../../platform/database/index.js';
import { Form } from '../../forms/model/form.entity.js';
import { FormWatch } from './form-watch.entity.js';
import type { WatchLevel } from './rhythm.js';
import type { WatchState } from './signs.js';

/** A watch with its form. */
export interface WatchedForm {
  watch: FormWatch;
  form: Form;
}

/** A form that is silent, and since when that is improbable. */
export interface SilentForm {
  identifier: string;
  silentFrom: Date;
}

/** Reads and writes how forms are watched. */
@Injectable()
export class FormWatchesRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FormWatch);

  /** Returns the first forms that are not watched yet. */
  unwatched(limit: number): Promise<Pick<FormWatch, 'formId' | 'accountId'>[]> {
    return selectRows(
      this.source,
      `SELECT form.id AS formId, form.account_id AS accountId FROM \`forms\` form
        LEFT JOIN form_watches watch ON watch.form_id = form.id
        WHERE watch.form_id IS NULL AND form.deleted_at IS NULL ORDER BY form.id LIMIT ?`,
      [limit],
    );
  }

  /** Adds watches, unless others did. */
  async add(watches: readonly FormWatch[]) {
    await insertMissing(this.rows, watches);
  }

  /** Returns the watches that are due with their forms, which are not deleted. */
  async due(now: Date, limit: number): Promise<WatchedForm[]> {
    const due = await this.rows
      .createQueryBuilder('watch')
      .innerJoin(Form, 'form', 'form.id = watch.formId AND form.deletedAt IS NULL')
      .where('watch.nextAt <= :now', { now })
      .orderBy('watch.nextAt', 'ASC')
      .limit(limit)
      .getMany();
    const forms = await this.source.manager.getRepository(Form).findBy({ id: In(due.map(({ formId }) => formId)) });
    const byId = new Map(forms.map((form) => [form.id, form]));
    return due.flatMap((watch) => {
      const form = byId.get(watch.formId);
      return form ? [{ watch, form }] : [];
    });
  }

  find(formId: number): Promise<FormWatch | null> {
    return this.rows.findOneBy({ formId });
  }

  /** Returns the watches of these forms. */
  async among(formIds: readonly number[]): Promise<FormWatch[]> {
    return formIds.length === 0 ? [] : this.rows.findBy({ formId: In([...formIds]) });
  }

  /** Stores what a look found, unless the form is gone; the level is a person's. */
  async store(watch: FormWatch) {
    const { formId, state, nextAt, lastHour, silentFrom, watchedFrom } = watch;
    const { learntAt, rhythmText, signsText, level } = watch;
    const found = { state, nextAt, lastHour, silentFrom, watchedFrom };
    await this.rows.update({ formId, level }, { ...found, learntAt, rhythmText, signsText });
  }

  /** Sets how soon silence is told, and has the form looked at. */
  async setLevel(formId: number, level: WatchLevel, now: Date) {
    await this.rows.update({ formId }, { level, nextAt: now });
  }

  /** Counts the watched forms of all accounts by their states. */
  async countByState(): Promise<Map<WatchState, number>> {
    const rows = await selectRows<{ state: WatchState; amount: unknown }>(
      this.source,
      'SELECT state, COUNT(*) AS amount FROM form_watches GROUP BY state',
    );
    return new Map(rows.map(({ state, amount }) => [state, Number(amount)]));
  }

  /** Returns the forms, of all accounts, that have been silent the longest. */
  async silent(limit: number): Promise<SilentForm[]> {
    const found = await this.rows.find({ where: { state: 'silent' }, order: { silentFrom: 'ASC' }, take: limit });
    if (found.length === 0) return [];
    const ids = found.map(({ formId }) => formId);
    const forms = await selectRows<{ id: number; identifier: string }>(
      this.source,
      `SELECT id, identifier FROM \`forms\` WHERE deleted_at IS NULL AND id IN (${placeholders(ids)})`,
      ids,
    );
    const byId = new Map(forms.map(({ id, identifier }) => [id, identifier]));
    return found.flatMap(({ formId, silentFrom }) => {
      const identifier = byId.get(formId);
      return identifier === undefined || silentFrom === null ? [] : [{ identifier, silentFrom }];
    });
  }
}
