import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope, Principal } from '../access/principal.js';
import { GuardedHttpClient, PrivateAddress } from '../platform/http-client/guarded-http-client.js';
import {
  type SettingsChange,
  isFormIdentifier,
  changedSettings,
  extraDetails,
  formChanged,
  formTarget,
  type ExtrasChange,
} from './model/form-changes.js';
import { type FormSettings, NO_EXTRAS } from './model/form-snippet.js';
import { FormsRepository, type Erased, type FormSummary } from './forms.repository.js';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import { Form } from './model/form.entity.js';
import { VisitorAttachmentsRepository } from './visitor-attachments.repository.js';
import { AuditService } from '../audit/audit.service.js';
import { ReadCache } from '../platform/kernel/read-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { FormCreationForbidden, FormNotFound, UnknownForms } from './model/form.errors.js';
import { encodeLearnt } from './model/form-values.js';

/** Refuses new addresses of webhooks that lead where no call goes, before anything is lost by them. */
@Injectable()
export class WebhookAddresses {
  constructor(
    private readonly forms: FormsRepository,
    private readonly http: GuardedHttpClient,
  ) {}

  /**
   * Checks the address that settings set. One that a form has already may stay.
   * @param identifier of the form that is changed
   * @throws PrivateAddress, FormNotFound
   */
  async check(scope: Scope, identifier: string, settings: SettingsChange): Promise<void> {
    if (typeof settings === 'function' || !settings.webhookUrl) return;
    const known = await this.forms.get(scope, identifier);
    if (settings.webhookUrl !== known.webhookUrl) await this.checkNew(settings);
  }

  /** Checks the address that settings set for a form that does not have it yet. @throws PrivateAddress */
  async checkNew(
    { webhookUrl: url }: Partial<FormSettings>,
    field = 'form.webhook_url',
  ): Promise<void> {
    if (!url) return;
    if (await this.http.leadsInside(url)) throw new PrivateAddress(field, url);
  }
}

/** Settings of a form that comes yet. */
export type NewFormSettings = Pick<FormSettings, 'name'> & Partial<FormSettings>;

/** A form that is to be created. */
interface WantedForm {
  settings: NewFormSettings;
  /** The client that sees it; null for none. */
  clientId: number | null;
  /** The scope that entered its recipients. */
  by: Scope;
}

type Lookup = (clientId: number) => Promise<Partial<FormSettings>>;

/** Knows what the new forms of a client begin with. */
@Injectable()
export class FormDefaults {
  private lookup: Lookup = () => Promise.resolve({});

  constructor(private readonly addresses: WebhookAddresses) {}

  /** Registers who keeps them. */
  register(lookup: Lookup): void {
    this.lookup = lookup;
  }

  /** Returns a form with the defaults of its client where `given` says nothing. Recipients among them are the account's own. @throws PrivateAddress */
  async applied(
    principal: Principal,
    clientId: number | null,
    given: NewFormSettings,
  ): Promise<WantedForm> {
    const { accountId } = principal;
    const defaults = clientId === null ? {} : await this.lookup(clientId);
    const by = given.notifyOwnerEmails === undefined ? { accountId, clientId: null } : principal;
    const settings = { ...defaults, ...given };
    await this.addresses.checkNew(settings);
    return { settings, clientId, by };
  }

  /** Refuses what no form can begin with. @throws TooManyRecipients, PrivateAddress */
  async check(scope: Scope, defaults: Partial<FormSettings>): Promise<void> {
    Form.create(scope, { name: '', ...defaults }, new Date());
    await this.addresses.checkNew(defaults, 'form_defaults.webhook_url');
  }
}

/** Keeps a client from being deleted until the transaction ends; throws where it is gone. */
type ClientLock = (tx: EntityManager, accountId: number, clientId: number) => Promise<void>;

/** Gives forms what they have from the beginning beside their row. */
@Injectable()
export class NewForms {
  private lockClient: ClientLock = () => Promise.resolve();

  constructor(
    private readonly grants: FormGrantsRepository,
    private readonly attachments: VisitorAttachmentsRepository,
  ) {}

  /** Registers who locks a client that is to see a form. */
  register(lock: ClientLock): void {
    this.lockClient = lock;
  }

  /**
   * Completes a form in the transaction that creates it.
   * @param clientId the client that sees it; null for none
   * @param copiedId id of the form that it is a copy of; null for none
   */
  async complete(
    tx: EntityManager,
    { id, accountId }: Pick<Form, 'id' | 'accountId'>,
    clientId: number | null,
    copiedId: number | null,
  ): Promise<void> {
    if (copiedId !== null) await this.attachments.in(tx).copy(copiedId, id);
    if (clientId === null) return;
    // A client that is being deleted would leave the grant behind.
    await this.lockClient(tx, accountId, clientId);
    await this.grants.in(tx).add(clientId, id);
  }
}

/** Called within the transaction that adds recipients of owner mails to a form, with who adds them. */
type RecipientsFollower = (
  tx: EntityManager,
  form: Form,
  added: string[],
  by: Scope,
) => Promise<void>;

/** Creates, changes and deletes forms, and grants them to clients. */
@Injectable()
export class FormsService {
  private readonly cache: ReadCache<Form>;
  private readonly webhookFollowers: ((tx: EntityManager, formId: number) => Promise<void>)[] = [];
  private readonly recipientFollowers: RecipientsFollower[] = [];

  constructor(
    private readonly forms: FormsRepository,
    private readonly grants: FormGrantsRepository,
    private readonly audit: AuditService,
    private readonly addresses: WebhookAddresses,
    private readonly defaults: FormDefaults,
    private readonly newForms: NewForms,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.cache = new ReadCache(async (identifiers) => {
      const found = await this.forms.findPublic(identifiers);
      return new Map(found.map((form) => [form.identifier, form]));
    });
  }

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return this.forms.get(scope, identifier);
  }

  /**
   * Returns the form of an identifier, in any account, for visitors, a second old at most.
   * @throws FormNotFound
   */
  async findPublicCached(identifier: string): Promise<Readonly<Form>> {
    const form = isFormIdentifier(identifier) ? await this.cache.get(identifier) : null;
    if (!form) throw new FormNotFound();
    return form;
  }

  /**
   * Creates a form, with the defaults of the client that it is for and that sees it then.
   * @param clientId the one that creates it, or whom the account creates it for
   * @throws FormCreationForbidden, TooManyRecipients, PrivateAddress
   */
  async create(principal: Principal, given: NewFormSettings, clientId = principal.clientId) {
    return this.add(principal, await this.defaults.applied(principal, clientId, given), null);
  }

  /**
   * Creates a form with the settings, the labels, the preview, the retention, the rules about spam and the attachment of
   * another, an identifier of its own and no submissions.
   * @throws FormNotFound, FormCreationForbidden
   */
  async duplicate(principal: Principal, identifier: string, name: string): Promise<Form> {
    const copied = await this.get(principal, identifier);
    const settings = { ...copied.settings, name };
    return this.add(principal, { settings, clientId: principal.clientId, by: principal }, copied);
  }

  /** Changes settings, or those that a function makes. @throws FormNotFound, and what `create` does */
  async change(principal: Principal, identifier: string, settings: SettingsChange): Promise<Form> {
    await this.addresses.check(principal, identifier, settings);
    return this.edit(principal, identifier, async (form, tx) => {
      const { webhookUrl, ownerRecipients } = form;
      const before = { ...form.settings, name: form.name };
      form.change(typeof settings === 'function' ? settings(form) : settings);
      const changed = changedSettings(before, form);
      if (changed.length > 0) {
        const entry = formChanged(form, { settings: changed.join(',') });
        await this.audit.recordBy(tx, principal, entry);
      }
      await this.followRecipients(tx, form, ownerRecipients, principal);
      if (form.webhookUrl === webhookUrl) return;
      for (const follow of this.webhookFollowers) await follow(tx, form.id);
    });
  }

  /** Registers a function that runs in each transaction that changes a form's webhook_url. */
  onWebhookChange(follow: (tx: EntityManager, formId: number) => Promise<void>): void {
    this.webhookFollowers.push(follow);
  }

  /** Registers a function that runs in each transaction that adds recipients of owner mails to a form. */
  onRecipientsAdded(follow: RecipientsFollower): void {
    this.recipientFollowers.push(follow);
  }

  /** @throws FormNotFound */
  async delete(principal: Principal, identifier: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).getForUpdate(principal, identifier);
      form.delete(new Date());
      await this.forms.in(tx).saveDeleted(form);
      await this.grants.in(tx).removeForm(form.id);
      const target = formTarget(form);
      await this.audit.recordBy(tx, principal, { action: 'form.deleted', target });
    });
    this.cache.forget(identifier);
  }

  /**
   * Changes what a form has besides settings. Submissions older than `retentionDays` are removed from then on.
   * @param change what to change, or how it follows from what the form has
   * @throws FormNotFound, and what `change` throws
   */
  setExtras(principal: Principal, identifier: string, change: ExtrasChange): Promise<Form> {
    return this.edit(principal, identifier, async (form, tx) => {
      const extras = typeof change === 'function' ? change(form) : change;
      Object.assign(form, extras);
      await this.audit.recordBy(tx, principal, formChanged(form, extraDetails(extras)));
    });
  }

  /** Returns a form by an id from another row, on the connection of a transaction that asks; null when it was deleted. */
  find(id: number, tx?: EntityManager): Promise<Form | null> {
    return (tx ? this.forms.in(tx) : this.forms).find(id);
  }

  /** Marks a form as purged if it was deleted more than `seconds` ago. */
  markPurged(id: number, seconds: number): Promise<void> {
    return this.unitOfWork.run((tx) => this.forms.in(tx).markPurged(id, seconds));
  }

  /**
   * Takes what was erased off the sums of a form, in the transaction that removes it, and counts the erasure. Whoever
   * submits to the form waits until that is committed.
   */
  noteErasure(tx: EntityManager, id: number, erased: Erased): Promise<void> {
    return this.forms.in(tx).noteErasure(id, erased);
  }

  /** Keeps which fields tell most; a choice that was made meanwhile stays. */
  learn(form: FormSummary, fields: string[]): Promise<void> {
    const text = encodeLearnt({ at: form.submissionCount, fields });
    return this.unitOfWork.run((tx) => this.forms.in(tx).setPreview(form, text));
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

  /**
   * Lets a client see exactly these forms, within a transaction.
   * @param field path of the ids in the caller's input, for the error
   * @returns whether that differs from what it saw before
   * @throws UnknownForms naming each id that is not a form of the account
   */
  async setGrants(
    tx: EntityManager,
    client: { accountId: number; id: number },
    formIds: number[],
    field: string,
  ): Promise<boolean> {
    const wanted = [...new Set(formIds)];
    const found = await this.forms.in(tx).findAmong(client.accountId, wanted);
    const known = new Set(found.map(({ id }) => id));
    const unknown = wanted.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new UnknownForms(field, unknown);
    return this.grants.in(tx).replace(client.id, wanted);
  }

  private async add(
    principal: Principal,
    { settings, clientId, by }: WantedForm,
    copied: Form | null,
  ): Promise<Form> {
    if (!principal.canCreateForms) throw new FormCreationForbidden();
    return this.unitOfWork.run(async (tx) => {
      const form = Form.create(principal, settings, new Date());
      Object.assign(form, copied?.extras ?? NO_EXTRAS);
      await this.forms.in(tx).save(form);
      const details = copied && { copy_of: copied.identifier };
      const entry = { action: 'form.created' as const, target: formTarget(form) };
      await this.audit.recordBy(tx, principal, { ...entry, ...(details && { details }) });
      await this.followRecipients(tx, form, [], by);
      await this.newForms.complete(tx, form, clientId, copied?.id ?? null);
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
    change: (form: Form, tx: EntityManager) => Promise<void>,
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
