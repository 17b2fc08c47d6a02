import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import { ReadCache } from '../platform/kernel/read-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { FormGrantsRepository, type GrantedForm } from './form-grants.repository.js';
import { Form, type FormSettings } from './form.entity.js';
import { FormCreationForbidden, FormNotFound, UnknownForms } from './form.errors.js';
import { FormsRepository, type FormSummary, type Slice } from './forms.repository.js';

export type { FormSummary, GrantedForm as SeenForm };

const IDENTIFIER = /^[0-9a-f]{16}$/;

/** Is told within a transaction which recipients of owner mails are new to a form, and who names them. */
export type RecipientsFollower = (
  tx: EntityManager,
  form: Form,
  added: string[],
  by: Scope,
) => Promise<void>;

/** Creates, shows, changes and deletes forms, and keeps who may see them. */
@Injectable()
export class FormsService {
  private readonly cache: ReadCache<Form>;
  private readonly webhookFollowers: ((tx: EntityManager, formId: number) => Promise<void>)[] = [];
  private readonly recipientFollowers: RecipientsFollower[] = [];

  constructor(
    private readonly forms: FormsRepository,
    private readonly grants: FormGrantsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.cache = new ReadCache(async (identifiers) => {
      const found = await this.forms.findPublic(identifiers);
      return new Map(found.map((form) => [form.identifier, form]));
    });
  }

  /** Returns all forms in the scope, or one page of them, oldest first. */
  list(scope: Scope, page: Slice | null): Promise<FormSummary[]> {
    return this.forms.list(scope, page);
  }

  count(scope: Scope): Promise<number> {
    return this.forms.count(scope);
  }

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return this.forms.get(scope, identifier);
  }

  /**
   * The form that takes submissions under an identifier, whoever owns it. A copy may be served for
   * a second; changes made through this process are seen at once.
   * @throws FormNotFound, without a query for what cannot be an identifier
   */
  async findPublicCached(identifier: string): Promise<Form> {
    const form = IDENTIFIER.test(identifier) ? await this.cache.get(identifier) : null;
    if (!form) throw new FormNotFound();
    return form;
  }

  /**
   * Creates a form; one that a client creates is the client's to see.
   * @throws FormCreationForbidden, TooManyRecipients
   */
  async create(
    principal: Principal,
    settings: Pick<FormSettings, 'name'> & Partial<FormSettings>,
  ): Promise<Form> {
    return this.add(principal, settings, null);
  }

  /**
   * Creates a form with the settings and the retention of another, an identifier of its own and no
   * submissions.
   * @throws FormNotFound, FormCreationForbidden
   */
  async duplicate(principal: Principal, identifier: string, name: string): Promise<Form> {
    const { settings, retentionDays } = await this.get(principal, identifier);
    return this.add(principal, { ...settings, name }, retentionDays);
  }

  /** @throws FormNotFound, TooManyRecipients */
  change(scope: Scope, identifier: string, settings: Partial<FormSettings>): Promise<Form> {
    return this.edit(scope, identifier, async (form, tx) => {
      const { webhookUrl, ownerRecipients } = form;
      form.change(settings);
      await this.followRecipients(tx, form, ownerRecipients, scope);
      if (form.webhookUrl === webhookUrl) return;
      for (const follow of this.webhookFollowers) await follow(tx, form.id);
    });
  }

  /** Registers a function that runs in each transaction that changes a form's webhook_url. */
  onWebhookChange(follow: (tx: EntityManager, formId: number) => Promise<void>): void {
    this.webhookFollowers.push(follow);
  }

  /** Has `follow` called within each transaction that adds recipients of owner mails to a form. */
  onRecipientsAdded(follow: RecipientsFollower): void {
    this.recipientFollowers.push(follow);
  }

  /** @throws FormNotFound */
  async delete(scope: Scope, identifier: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).getForUpdate(scope, identifier);
      form.delete(new Date());
      await this.forms.in(tx).saveDeleted(form);
      await this.grants.in(tx).removeForm(form.id);
    });
    this.cache.forget(identifier);
  }

  /**
   * Removes submissions older than `days` from now on; null keeps them all.
   * @throws FormNotFound
   */
  setRetention(scope: Scope, identifier: string, days: number | null): Promise<Form> {
    return this.edit(scope, identifier, (form) => {
      form.retentionDays = days;
    });
  }

  /** Returns a form by an id from another row; null when it was deleted. */
  find(id: number): Promise<Form | null> {
    return this.forms.find(id);
  }

  /** Returns deleted forms that may still have submissions. */
  listUnpurged(): Promise<Form[]> {
    return this.forms.listUnpurged();
  }

  /** Returns forms that keep their submissions for a limited time. */
  listWithRetention(): Promise<Form[]> {
    return this.forms.listWithRetention();
  }

  /** Marks a form as purged if it was deleted more than `seconds` ago. */
  markPurged(id: number, seconds: number): Promise<void> {
    return this.unitOfWork.run((tx) => this.forms.in(tx).markPurged(id, seconds));
  }

  /**
   * Locks the count of a form until this transaction ends. Every transaction that changes
   * submissions does this first: with one order of locks there is no deadlock.
   */
  lockCount(tx: EntityManager, id: number): Promise<void> {
    return this.forms.in(tx).addToCount(id, 0);
  }

  /** Changes the count of a form, in the transaction that changes its submissions. */
  addToCount(tx: EntityManager, id: number, by: number): Promise<void> {
    return this.forms.in(tx).addToCount(id, by);
  }

  /** Returns the forms of all clients of the account, or of one, oldest form first. */
  grantedForms(accountId: number, clientId: number | null): Promise<GrantedForm[]> {
    return this.grants.listGranted(accountId, clientId);
  }

  /**
   * Lets a client see exactly these forms, within a transaction.
   * @param field how the caller's input names the ids, for the error
   * @throws UnknownForms naming each id that is not a form of the account
   */
  async setGrants(
    tx: EntityManager,
    client: { accountId: number; id: number },
    formIds: number[],
    field: string,
  ): Promise<void> {
    const wanted = [...new Set(formIds)];
    const known = new Set(
      (await this.forms.in(tx).findAmong(client.accountId, wanted)).map(({ id }) => id),
    );
    const unknown = wanted.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new UnknownForms(field, unknown);
    await this.grants.in(tx).replace(client.id, wanted);
  }

  private add(
    principal: Principal,
    settings: Pick<FormSettings, 'name'> & Partial<FormSettings>,
    retentionDays: number | null,
  ): Promise<Form> {
    if (!principal.canCreateForms) throw new FormCreationForbidden();
    return this.unitOfWork.run(async (tx) => {
      const form = Form.create(principal.accountId, settings, new Date());
      form.retentionDays = retentionDays;
      await this.forms.in(tx).save(form);
      await this.followRecipients(tx, form, [], principal);
      if (principal.clientId !== null) await this.grants.in(tx).add(principal.clientId, form.id);
      return form;
    });
  }

  private async followRecipients(
    tx: EntityManager,
    form: Form,
    before: string[],
    by: Scope,
  ): Promise<void> {
    const added = form.ownerRecipients.filter((email) => !before.includes(email));
    if (added.length === 0) return;
    for (const follow of this.recipientFollowers) await follow(tx, form, added, by);
  }

  private async edit(
    scope: Scope,
    identifier: string,
    change: (form: Form, tx: EntityManager) => void | Promise<void>,
  ): Promise<Form> {
    const changed = await this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).getForUpdate(scope, identifier);
      await change(form, tx);
      return this.forms.in(tx).save(form);
    });
    this.cache.forget(identifier);
    return changed;
  }
}
