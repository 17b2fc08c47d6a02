import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, Raw } from 'typeorm';
import type { Scope } from '../accounts/access/index.js';
import {
  databaseTime,
  forUpdateSql,
  entityOf,
  selectRows,
  TransactionalRepository,
  placeholders,
  ReadManager,
} from '../platform/database/index.js';
import { snakeCase, comparable } from '../platform/index.js';
import { SETTING_NAMES } from './model/form-settings.js';
import { Form, type FormView, VisitorAttachment, type VisitorAttachmentFacts } from './model/form.entity.js';
import { FormNotFound } from './model/form.errors.js';
import { visibleByGrant, visibleByKey, visibleInOrder, visibleTo } from './access/visible-forms.js';

/** The columns of a form that lists show. */
export type FormSummary = Pick<
  Form,
  'id' | 'name' | 'identifier' | 'submissionCount' | 'previewFields' | 'madeByClientId'
>;

/** The columns of a `FormSummary`. */
const SUMMARY = `form.id, form.name, form.identifier, form.submission_count AS submissionCount,
  form.preview_fields AS previewFields, form.made_by_client_id AS madeByClientId`;

const VIEWED = ['id', 'identifier', 'submissionCount', ...SETTING_NAMES].map(
  (name) => `form.${snakeCase(name)} AS ${name}`,
);
type Flag = 'notifySubmitter' | 'notifyOwnerOnSubmission' | 'showSubmittedValues';
type ViewedRow = Omit<FormView, Flag> & Record<Flag, number | null>;

/** A page of a list, numbered from 1. */
export interface Slice {
  page: number;
  perPage: number;
}

/** Totals over the forms of an account. */
export interface AccountTotals {
  forms: number;
  submissions: number;
  filesBytes: number;
}

/** Totals of one erasure in a form. */
export interface Erased {
  /** Submissions that were counted. */
  counted: number;
  /** Bytes of all erased files. */
  bytes: number;
}

/** Reads and writes forms. Deleted ones are found by `listUnpurged` alone. */
@Injectable()
export class FormsRepository extends TransactionalRepository {
  private readonly forms = this.rowsOf(Form);

  /** Returns all forms, or one page of them, oldest first. */
  list(scope: Scope, page: Slice | null): Promise<FormSummary[]> {
    const { sql, values } = page ? visibleInOrder(scope) : visibleTo(scope);
    return selectRows(
      this.source,
      `SELECT ${SUMMARY} ${sql} ORDER BY form.id${page ? ' LIMIT ? OFFSET ?' : ''}`,
      page ? [...values, page.perPage, (page.page - 1) * page.perPage] : values,
    );
  }

  async count(scope: Scope) {
    const { accountId, clientId } = scope;
    const { sql, values } = clientId === null ? visibleTo(scope) : visibleByGrant(accountId, clientId);
    const [row] = await selectRows<{ total: number }>(this.source, `SELECT COUNT(*) AS total ${sql}`, values);
    return Number(row?.total);
  }

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return this.getVisible(scope, identifier);
  }

  /**
   * Returns the forms of these identifiers that the scope sees. It reads only what programs see, and makes no
   * entities: they ask for this most.
   * @param identifiers as `Form.create` makes them
   */
  async views(scope: Scope, identifiers: string[]): Promise<FormView[]> {
    const { sql, values } = visibleByKey(scope);
    const rows = await selectRows<ViewedRow>(
      this.source,
      `SELECT ${VIEWED.join(', ')} ${sql} AND form.identifier IN (${placeholders(identifiers)})`,
      [...values, ...identifiers],
    );
    return rows.map((row) => {
      const { notifySubmitter, notifyOwnerOnSubmission, showSubmittedValues } = row;
      return {
        ...row,
        notifySubmitter: notifySubmitter === null ? null : notifySubmitter === 1,
        notifyOwnerOnSubmission: notifyOwnerOnSubmission === 1,
        showSubmittedValues: showSubmittedValues === 1,
      };
    });
  }

  /**
   * Returns the form and locks its row until the transaction ends.
   * @throws FormNotFound
   */
  getForUpdate(scope: Scope, identifier: string): Promise<Form> {
    return this.getVisible(scope, identifier, forUpdateSql(this.source.manager.dataSource));
  }

  /**
   * Returns the oldest form of this name that the scope sees; null for none. Until the transaction ends, others who ask
   * the same in the account wait.
   */
  async findNamed(scope: Scope, name: string): Promise<Form | null> {
    const { manager } = this.source;
    await manager.query(`SELECT id FROM \`accounts\` WHERE id = ?${forUpdateSql(manager.dataSource)}`, [
      scope.accountId,
    ]);
    const { sql, values } = visibleTo(scope);
    const rows = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT form.* ${sql} AND form.name = ? ORDER BY form.id`,
      [...values, name],
    );
    // Servers compare without the case of letters.
    const found = rows.find((row) => row.name === name);
    return found ? entityOf(this.forms, found) : null;
  }

  /** Returns the forms of these identifiers in any account, for the intake. */
  async findPublic(identifiers: string[]): Promise<Form[]> {
    const rows = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT * FROM \`forms\` WHERE deleted_at IS NULL AND identifier IN (${placeholders(identifiers)})`,
      identifiers,
    );
    return rows.map((row) => entityOf(this.forms, row));
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

  /** Returns forms with so many submissions whose rows show no fields that somebody chose, by id after `after`. */
  listUnchosen(from: number, after: number, limit: number): Promise<FormSummary[]> {
    return selectRows(
      this.source,
      `SELECT id, name, identifier, submission_count AS submissionCount,
        preview_fields AS previewFields, made_by_client_id AS madeByClientId
       FROM \`forms\` WHERE deleted_at IS NULL AND submission_count >= ? AND id > ?
        AND (preview_fields IS NULL OR preview_fields LIKE '{%') ORDER BY id LIMIT ?`,
      [from, after, limit],
    );
  }

  /** Sets what rows show, unless somebody has changed it since it was read. */
  async setPreview({ id, previewFields }: FormSummary, text: string) {
    await this.forms.update({ id, previewFields: previewFields ?? IsNull() }, { previewFields: text });
  }

  /** Saves a deleted form, with the time of the deletion by the database's clock. */
  async saveDeleted(form: Form) {
    await this.save(form);
    const deletedAt = () => databaseTime(this.source.manager.dataSource);
    await this.forms.update({ id: form.id }, { deletedAt });
  }

  /**
   * Marks a deleted form as purged, unless it was deleted less than `seconds` ago by the
   * database's clock: a submission that was under way may still be stored.
   */
  async markPurged(id: number, seconds: number) {
    const { dataSource } = this.source.manager;
    const deletedAt = Raw((column) => `${column} < ${databaseTime(dataSource, -seconds)}`);
    await this.forms.update({ id, deletedAt }, { purgedAt: () => databaseTime(dataSource) });
  }

  async addToCount(id: number, by: number) {
    await this.source.manager.query('UPDATE forms SET submission_count = submission_count + ? WHERE id = ?', [by, id]);
  }

  /** Counts what the forms of every account have; files count until the purge of a deleted form. */
  async byAccount(): Promise<Map<number, AccountTotals>> {
    const rows = await selectRows<Record<'accountId' | keyof AccountTotals, number | string>>(
      this.source,
      `SELECT account_id AS accountId, COUNT(CASE WHEN deleted_at IS NULL THEN 1 END) AS forms,
        SUM(CASE WHEN deleted_at IS NULL THEN submission_count ELSE 0 END) AS submissions,
        SUM(files_bytes) AS filesBytes
       FROM \`forms\` GROUP BY account_id`,
      [],
    );
    return new Map(
      rows.map(({ accountId, forms, submissions, filesBytes }) => [
        Number(accountId),
        { forms: Number(forms), submissions: Number(submissions), filesBytes: Number(filesBytes) },
      ]),
    );
  }

  /** Sums what the files of an account take, in bytes; files of a deleted form count until its purge. */
  async filesBytes(accountId: number) {
    const [row] = await selectRows<{ bytes: number | string | null }>(
      this.source,
      'SELECT SUM(files_bytes) AS bytes FROM `forms` WHERE account_id = ?',
      [accountId],
    );
    return Number(row?.bytes ?? 0);
  }

  /** Takes what was erased off the sums of a form, and counts the erasure. */
  async noteErasure(id: number, { counted, bytes }: Erased) {
    await this.source.manager.query(
      `UPDATE forms SET submission_count = submission_count - ?, files_bytes = files_bytes - ?,
        erasures = erasures + 1 WHERE id = ?`,
      [counted, bytes, id],
    );
  }

  /** Returns how often something of a form was erased; 0 when there is no such form. */
  async erasuresOf(id: number, lock = '') {
    const [row] = await this.source.manager.query<{ erasures: number }[]>(
      `SELECT erasures FROM \`forms\` WHERE id = ?${lock}`,
      [id],
    );
    return row?.erasures ?? 0;
  }

  /** Returns the same, and lets no erasure of the form be committed before this transaction. */
  lockErasures(id: number) {
    return this.erasuresOf(id, forUpdateSql(this.source.manager.dataSource));
  }

  /** Returns the forms of the account among these ids. */
  findAmong(accountId: number, ids: number[]): Promise<Form[]> {
    return this.forms.find({ where: { accountId, id: In(ids), deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  save(form: Form): Promise<Form> {
    return this.forms.save(form);
  }

  private async getVisible(scope: Scope, identifier: string, lock = '') {
    const { sql, values } = visibleTo(scope);
    const [row] = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT form.* ${sql} AND form.identifier = ?${lock}`,
      [...values, identifier],
    );
    // MySQL ignores trailing blanks when it compares.
    if (row?.identifier !== identifier) throw new FormNotFound();
    return entityOf(this.forms, row);
  }
}

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

  /** Returns which of these forms the scope sees, with all their columns. */
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

  /** Returns which of these forms the scope sees. */
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

  private async selectKeys(scope: Scope, condition: string, keys: readonly (string | number)[]) {
    const { sql, values } = visibleByKey(scope);
    const found = await selectRows<FormSummary>(this.source, `SELECT ${SUMMARY} ${sql}${condition}`, [
      ...values,
      ...keys,
    ]);
    return found.sort((a, b) => a.id - b.id);
  }

  private select(
    scope: Scope,
    condition: string,
    more: readonly (string | number)[],
    limit: number,
  ): Promise<FormSummary[]> {
    const { sql, values } = visibleInOrder(scope);
    return selectRows(this.source, `SELECT ${SUMMARY} ${sql}${condition} ORDER BY form.id LIMIT ?`, [
      ...values,
      ...more,
      limit,
    ]);
  }
}

/** Reads and writes the files that go along with mails to visitors. */
@Injectable()
export class VisitorAttachmentsRepository extends TransactionalRepository {
  private readonly attachments = this.rowsOf(VisitorAttachment);

  find(formId: number): Promise<VisitorAttachmentFacts | null> {
    return this.attachments.findOneBy({ formId });
  }

  /** Returns the file with its bytes. */
  open(formId: number): Promise<VisitorAttachment | null> {
    const select = { formId: true, name: true, mediaType: true, size: true, content: true };
    return this.attachments.findOne({ select, where: { formId } });
  }

  async replace(attachment: VisitorAttachment) {
    await this.remove(attachment.formId);
    await this.attachments.insert(attachment);
  }

  /** Gives a new form the file of another, where there is one. */
  async copy(fromId: number, formId: number) {
    const file = await this.open(fromId);
    if (file) await this.attachments.insert(Object.assign(file, { formId }));
  }

  async remove(formId: number) {
    await this.attachments.delete({ formId });
  }
}
