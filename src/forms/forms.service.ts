import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks, GuardedHttpClient, PrivateAddress } from '../platform/index.js';
import type { Scope, Principal } from '../accounts/access/index.js';
import { type SettingsChange, formChanged, formTarget } from './model/form-changes.js';
import { changedSettings, NO_EXTRAS, type FormChange, type FormSettings } from './model/form-settings.js';
import { FormsRepository, type Erased, type FormSummary, VisitorAttachmentsRepository } from './forms.repository.js';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import { Form } from './model/form.entity.js';
import type { FormFields } from './model/form-fields.js';
import { assertMayReceive } from './access/may-change.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { FormQueries } from './form-queries.service.js';
import { UnitOfWork } from '../platform/database/index.js';
import { FormCreationForbidden, UnknownForms } from './model/form.errors.js';
import { encodeLearnt } from './model/form-values.js';

/** Settings of a form that comes yet. */
export type NewFormSettings = Pick<FormSettings, 'name'> & Partial<FormSettings>;

/** A form that is there now, and whether it was created for that. */
export interface EnsuredForm {
  form: Form;
  isNew: boolean;
}

/** A form that is to be created. */
interface WantedForm {
  settings: NewFormSettings;
  /** The client that sees it; null for none. */
  clientId: number | null;
  /** The scope that entered its recipients. */
  by: Scope;
}

/** Asks what the new forms of a client begin with. */
export const DefaultsOfClient = hook<(clientId: number) => Promise<Partial<FormSettings>>>();

/** Keeps a client from being deleted until the transaction ends; throws where it is gone. */
export const ClientLock = hook<(tx: EntityManager, accountId: number, clientId: number) => Promise<void>>();

/** The form whose mails recipients get; without an id, one that comes yet. */
export interface FormKey {
  id: number | null;
  accountId: number;
}

/** Runs in each transaction that adds recipients of owner mails, with who adds them. */
export const RecipientsAdded = hook<(tx: EntityManager, form: FormKey, added: string[], by: Scope) => Promise<void>>();
/** Runs in each transaction that changes a form's webhook_url, with the former one. */
export const WebhookChanged = hook<(tx: EntityManager, form: Form, former: string | null) => Promise<void>>();

/** Texts of emails to visitors: with a placeholder they could put what was sent into a link of their author. */
const WRITTEN = ['notifySubmitterSubject', 'notifySubmitterBody', 'translations'] as const;

/** Tells whether settings name a new receiver of submissions, or of the answers to them. */
function choosesReceiver(before: FormChange, after: FormChange) {
  const isNew = (name: keyof FormChange) => after[name] !== before[name] && Boolean(after[name]);
  const known = (before.notifyOwnerEmails ?? '').split(',');
  return (
    isNew('webhookUrl') ||
    isNew('notifySubmitterFrom') ||
    (after.notifyOwnerEmails ?? '').split(',').some((email) => email !== '' && !known.includes(email)) ||
    WRITTEN.some((name) => isNew(name) && /\{[{%]/.test(after[name] ?? ''))
  );
}

/** Creates, changes and deletes forms, and grants them to clients. */
@Injectable()
export class FormsService {
  constructor(
    private readonly forms: FormsRepository,
    private readonly grants: FormGrantsRepository,
    private readonly audit: AuditService,
    private readonly queries: FormQueries,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
    private readonly http: GuardedHttpClient,
    private readonly attachments: VisitorAttachmentsRepository,
  ) {}

  /**
   * Creates a form, with the defaults of the client that it is for and that sees it then.
   * @param clientId the one that creates it, or whom the account creates it for
   * @throws FormCreationForbidden, TooManyRecipients, PrivateAddress
   */
  async create(principal: Principal, given: NewFormSettings, clientId = principal.clientId) {
    const wanted = await this.applied(principal, clientId, given);
    return this.unitOfWork.run((tx) => this.addIn(tx, principal, wanted, {}));
  }

  /**
   * Returns the oldest form of this name that the principal sees; creates one with these settings where there is none. Of
   * several who ask at once, one creates it.
   * @throws FormCreationForbidden, MissingRight, PrivateAddress
   */
  async ensure(principal: Principal, given: NewFormSettings, fields: FormFields): Promise<EnsuredForm> {
    const wanted = await this.applied(principal, principal.clientId, given);
    return this.unitOfWork.run(async (tx) => {
      const known = await this.forms.in(tx).findNamed(principal, given.name);
      if (known) principal.assertHas('forms:read');
      return known
        ? { form: known, isNew: false }
        : { form: await this.addIn(tx, principal, wanted, { fields }), isNew: true };
    });
  }

  /**
   * Creates a form with the settings, the labels, the preview, the retention, the rules about spam and the attachment of
   * another, an identifier of its own and no submissions.
   * @throws FormNotFound, FormCreationForbidden
   */
  async duplicate(principal: Principal, identifier: string, name: string): Promise<Form> {
    const copied = await this.forms.get(principal, identifier);
    const settings = { ...copied.settings, name };
    const wanted = { settings, clientId: principal.clientId, by: principal };
    return this.unitOfWork.run((tx) => this.addIn(tx, principal, wanted, { copied }));
  }

  /**
   * Changes what a form has, in one transaction. Submissions older than `retentionDays` are removed from then on.
   * @param change what to change, or how it follows from what the form has
   * @throws FormNotFound, and what `create` does
   */
  async change(principal: Principal, identifier: string, change: SettingsChange): Promise<Form> {
    await this.checkAddress(principal, identifier, change);
    const changed = await this.unitOfWork.run((tx) => this.changeIn(tx, principal, identifier, change));
    this.queries.forgetPublic(identifier);
    return changed;
  }

  /**
   * Changes it within a transaction, which locks the form; the address of its webhook was checked.
   * @throws FormNotFound, TooManyRecipients
   */
  async changeIn(tx: EntityManager, principal: Principal, identifier: string, change: SettingsChange): Promise<Form> {
    const form = await this.forms.in(tx).getForUpdate(principal, identifier);
    await this.apply(tx, principal, form, typeof change === 'function' ? change(form) : change);
    const saved = await this.forms.in(tx).save(form);
    this.queries.forgetPublic(identifier);
    return saved;
  }

  /** @throws FormNotFound */
  async delete(principal: Principal, identifier: string) {
    await this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).getForUpdate(principal, identifier);
      form.delete(new Date());
      await this.forms.in(tx).saveDeleted(form);
      await this.grants.in(tx).removeForm(form.id);
      const target = formTarget(form);
      await this.audit.recordBy(tx, principal, { action: 'form.deleted', target });
    });
    this.queries.forgetPublic(identifier);
  }

  /** Marks a form as purged if it was deleted more than `seconds` ago. */
  markPurged(id: number, seconds: number) {
    return this.unitOfWork.run((tx) => this.forms.in(tx).markPurged(id, seconds));
  }

  /**
   * Takes what was erased off the sums of a form, in the transaction that removes it, and counts the erasure. Whoever
   * submits to the form waits until that is committed.
   */
  noteErasure(tx: EntityManager, id: number, erased: Erased) {
    return this.forms.in(tx).noteErasure(id, erased);
  }

  /** Keeps which fields tell most; a choice that was made meanwhile stays. */
  learn(form: FormSummary, fields: string[]) {
    const text = encodeLearnt({ at: form.submissionCount, fields });
    return this.unitOfWork.run((tx) => this.forms.in(tx).setPreview(form, text));
  }

  /**
   * Lets a client see exactly these forms, within a transaction.
   * @param field path of the ids in the caller's input, for the error
   * @returns whether that differs from what it saw before
   * @throws UnknownForms naming each id that is not a form of the account
   */
  async setGrants(tx: EntityManager, client: { accountId: number; id: number }, formIds: number[], field: string) {
    const wanted = [...new Set(formIds)];
    const found = await this.forms.in(tx).findAmong(client.accountId, wanted);
    const known = new Set(found.map(({ id }) => id));
    const unknown = wanted.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new UnknownForms(field, unknown);
    return this.grants.in(tx).replace(client.id, wanted);
  }

  private async addIn(
    tx: EntityManager,
    principal: Principal,
    { settings, clientId, by }: WantedForm,
    { copied, fields }: { copied?: Form; fields?: FormFields },
  ) {
    if (!principal.canCreateForms) throw new FormCreationForbidden();
    const form = Form.create(principal, settings, new Date());
    Object.assign(form, copied?.extras ?? NO_EXTRAS, fields && { formFields: fields.encode() });
    await this.forms.in(tx).save(form);
    const details = copied && { copy_of: copied.identifier };
    const entry = { action: 'form.created' as const, target: formTarget(form) };
    await this.audit.recordBy(tx, principal, { ...entry, ...(details && { details }) });
    await this.followRecipients(tx, form, [], by);
    await this.complete(tx, form, clientId, copied?.id ?? null);
    return form;
  }

  private async apply(tx: EntityManager, principal: Principal, form: Form, change: FormChange) {
    const { webhookUrl, ownerRecipients } = form;
    const before = form.with({});
    form.change(change);
    if (choosesReceiver(before, form)) assertMayReceive(principal);
    const changed = changedSettings(before, form);
    if (changed.length > 0) {
      const days = changed.includes('retention') && { days: form.retentionDays };
      const entry = formChanged(form, { settings: changed.join(','), ...days });
      await this.audit.recordBy(tx, principal, entry);
    }
    await this.followRecipients(tx, form, ownerRecipients, principal);
    if (form.webhookUrl === webhookUrl) return;
    await this.hooks.run(WebhookChanged, tx, form, webhookUrl);
  }

  private async followRecipients(tx: EntityManager, form: Form, before: string[], by: Scope) {
    const added = form.ownerRecipients.filter((email) => !before.includes(email));
    if (added.length === 0) return;
    await this.hooks.run(RecipientsAdded, tx, form, added, by);
  }

  /**
   * Checks the address that settings set. One that a form has already may stay.
   * @param identifier of the form that is changed
   * @throws PrivateAddress, FormNotFound
   */
  private async checkAddress(scope: Scope, identifier: string, settings: SettingsChange) {
    if (typeof settings === 'function' || !settings.webhookUrl) return;
    const known = await this.forms.get(scope, identifier);
    if (settings.webhookUrl !== known.webhookUrl) await this.checkNewAddress(settings);
  }

  /** Checks the address that settings set for a form that does not have it yet. @throws PrivateAddress */
  async checkNewAddress({ webhookUrl: url }: Partial<FormSettings>, field = 'form.webhook_url') {
    if (!url) return;
    if (await this.http.leadsInside(url)) throw new PrivateAddress(field, url);
  }

  /** Returns a form with the defaults of its client where `given` says nothing. Recipients among them are the account's own. @throws PrivateAddress */
  async applied(principal: Principal, clientId: number | null, given: NewFormSettings): Promise<WantedForm> {
    const { accountId } = principal;
    if (choosesReceiver({}, given)) assertMayReceive(principal);
    const defaults = clientId === null ? {} : await this.hooks.ask(DefaultsOfClient, clientId);
    const by = given.notifyOwnerEmails === undefined ? { accountId, clientId: null } : principal;
    const settings = { ...defaults, ...given };
    await this.checkNewAddress(settings);
    return { settings, clientId, by };
  }

  /** Refuses what no form can begin with. @throws TooManyRecipients, PrivateAddress */
  async checkDefaults(scope: Scope, defaults: Partial<FormSettings>) {
    Form.create(scope, { name: '', ...defaults }, new Date());
    await this.checkNewAddress(defaults, 'form_defaults.webhook_url');
  }

  /**
   * Completes a form in the transaction that creates it.
   * @param clientId the client that sees it; null for none
   * @param copiedId id of the form that it is a copy of; null for none
   */
  private async complete(
    tx: EntityManager,
    { id, accountId }: Pick<Form, 'id' | 'accountId'>,
    clientId: number | null,
    copiedId: number | null,
  ) {
    if (copiedId !== null) await this.attachments.in(tx).copy(copiedId, id);
    if (clientId === null) return;
    // A client that is being deleted would leave the grant behind.
    await this.hooks.ask(ClientLock, tx, accountId, clientId);
    await this.grants.in(tx).add(clientId, id);
  }
}
