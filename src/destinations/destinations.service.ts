import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientDeleted, ClientsService, type AfterCommit, type ClientKey } from '../clients/clients.service.js';
import { hook, Hooks, DAY_MS } from '../platform/index.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { CALL_STATES, type CallState, type DeliveryWithAttempts } from '../deliveries/model/delivery-filter.js';
import { Destination, type DestinationSettings } from './model/destination.entity.js';
import {
  placeOf,
  changedSettings,
  newAddresses,
  type Place,
  firstId,
  firstOf,
  formSettings,
  saidBy,
  type Role,
} from './model/kind-settings.js';
import type { Principal, Scope } from '../accounts/access/index.js';
import type { AuditAction } from '../accounts/audit/audit-actions.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { assertMayReceive } from '../forms/access/may-change.js';
import { FormsService, RecipientsAdded, WebhookChanged } from '../forms/forms.service.js';
import { ClientNotFound } from '../clients/client.errors.js';
import { UnitOfWork } from '../platform/database/index.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import {
  DestinationNotFound,
  DestinationsOfAccount,
  DestinationStays,
  TooManyDestinations,
} from './destination.errors.js';
import { DestinationsRepository, withFirst } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import type { KindName } from './kinds/kinds.js';
import { makeWebhookSecret } from './kinds/signatures.js';

/** Most destinations of a form besides its first ones, of a client, and of an account for all its forms. */
const DESTINATIONS_MAX = 50;
/** How long the previous secret of a webhook signs beside a new one, in milliseconds. */
const OVERLAP_MS = DAY_MS;

/** Deliveries on a page. */
const LISTED = 25;

/** Deliveries of a destination, newest first. */
export interface SentFound {
  sent: DeliveryWithAttempts[];
  /** Whether there are older ones. */
  hasMore: boolean;
  /** How many failed, up to 500. */
  failed: number;
}

/** Changes to a destination; what is left out stays. */
export interface DestinationChanges extends Partial<DestinationSettings> {
  settings?: Readonly<Record<string, unknown>>;
  /** Place in its list, from 1. */
  position?: number;
}

/** Whose destinations are meant, with the form if it is one. */
export interface Home {
  place: Place;
  form: Form | null;
}

/** Runs after each change of destinations. */
export const DestinationsChanged = hook<() => void>();

/** Keeps where submissions go: for a form, for all forms of a client, or for all of an account. */
@Injectable()
export class DestinationsService {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly clients: ClientsService,
    private readonly forms: FormsService,
    private readonly access: FormQueries,
    private readonly deliveries: DeliveriesService,
    private readonly opener: DestinationOpener,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
  ) {}

  @ClientDeleted()
  async removeOfClient(tx: EntityManager, { accountId, id }: ClientKey, after: AfterCommit) {
    const removed = await this.destinations.in(tx).removeOfClient(accountId, id);
    after.push(() => this.end(removed));
  }

  /** Ends what is left to do for destinations that are gone. */
  private async end(ids: readonly Buffer[]) {
    this.changed();
    for (const id of ids) await this.deliveries.endOf(id);
  }

  /** Tells who follows that destinations are others now. */
  changed() {
    void this.hooks.run(DestinationsChanged);
  }

  /**
   * Takes the webhook of a form up again whose address was changed: its failures belong to the former one. A key that goes
   * along with calls does not go to another host.
   */
  @WebhookChanged()
  async renewWebhook(tx: EntityManager, form: Form, former: string | null): Promise<void> {
    const destinations = this.destinations.in(tx);
    await destinations.renew(firstId(form.id, 'webhook'));
    const { webhookUrl: url } = form;
    const webhook = await destinations.findFirst(form, 'webhook');
    // Without sealed secrets the first one is derived from a key, which may have to be stored: not in this transaction.
    if (webhook.sealed === null) return;
    if (url && former && new URL(url).origin === new URL(former).origin) return;
    const { settings } = await this.opener.open(webhook);
    if (settings.authorization === undefined) return;
    const { authorization: _, ...others } = settings;
    Object.assign(webhook, await this.opener.seal(webhook.kind, others));
    await destinations.save(webhook);
  }

  /**
   * Returns whose destinations are meant: a form, or else all forms of a client or of the account.
   * @throws FormNotFound, ClientNotFound, DestinationsOfAccount for a client
   */
  homeOf(scope: Scope, identifier: string): Promise<Home & { form: Form }>;
  homeOf(scope: Scope, identifier: string | undefined, clientId?: number | null): Promise<Home>;
  async homeOf(scope: Scope, identifier: string | undefined, clientId: number | null = null): Promise<Home> {
    if (identifier !== undefined) {
      const form = await this.access.get(scope, identifier);
      return { place: placeOf(form), form };
    }
    const { accountId, clientId: asking } = scope;
    if (asking !== null) throw new DestinationsOfAccount();
    if (clientId !== null && !(await this.clients.find(accountId, clientId))) {
      throw new ClientNotFound();
    }
    return { place: { accountId, formId: null, clientId }, form: null };
  }

  /**
   * Returns a destination and whose it is: one of the form in the path, or else of the account, wherever that is.
   * @throws FormNotFound, DestinationNotFound, also for a client
   */
  async find(
    scope: Scope,
    identifier: string | undefined,
    id: Buffer | null,
  ): Promise<{ home: Home; opened: OpenedDestination }> {
    if (identifier !== undefined) {
      const home = await this.homeOf(scope, identifier);
      return { home, opened: await this.show(home.place, id) };
    }
    const { accountId, clientId } = scope;
    const found = id && clientId === null && (await this.destinations.findIn(accountId, id));
    if (!found) throw new DestinationNotFound();
    const form = found.formId === null ? null : await this.access.find(found.formId);
    return { home: { place: found, form }, opened: await this.opener.open(found) };
  }

  /** Returns the destinations of a form, and for its account also of its clients and of the account. */
  async listFor({ clientId }: Scope, form: Form): Promise<OpenedDestination[]> {
    const found = withFirst(form, await this.destinations.rowsFor(form));
    return this.openAll(found.filter(({ formId }) => clientId === null || formId !== null));
  }

  async list(place: Place): Promise<OpenedDestination[]> {
    return this.openAll(await this.destinations.listOf(place));
  }

  private openAll(destinations: readonly Destination[]) {
    return Promise.all(destinations.map((destination) => this.opener.open(destination)));
  }

  /** @throws DestinationNotFound */
  async show(place: Place, id: Buffer | null): Promise<OpenedDestination> {
    const destination = id && (await this.destinations.find(place, id));
    if (!destination) throw new DestinationNotFound();
    return this.opener.open(destination);
  }

  /** Returns one of the first destinations of a form. */
  async first(form: Form, role: Role): Promise<OpenedDestination> {
    return this.opener.open(await this.destinations.findFirst(form, role));
  }

  /** Returns since when the webhooks of these forms are paused, by the form; without those that are called. */
  webhooksPausedAmong(formIds: readonly number[]): Promise<Map<number, Date>> {
    return this.destinations.webhooksPausedAmong(formIds);
  }

  /** @throws TooManyDestinations, InvalidFields, PrivateAddress */
  create(
    principal: Principal,
    place: Place,
    kind: KindName,
    changes: DestinationChanges & { name: string },
  ): Promise<OpenedDestination> {
    const destination = Destination.create(place, kind, this.unitOfWork.now());
    const opened = { destination, settings: {}, isReadable: true };
    return this.change(principal, opened, { settings: {}, ...changes }, 'created');
  }

  /** @throws DestinationNotFound, InvalidFields, PrivateAddress */
  async change(
    principal: Principal,
    { destination: before, settings: known, isReadable }: OpenedDestination,
    { settings: given, position, ...changes }: DestinationChanges,
    what: 'created' | 'changed' = 'changed',
  ): Promise<OpenedDestination> {
    const { id, kind, role, formId } = before;
    const isNew = what === 'created';
    assertMayReceive(principal);
    if (given) await this.opener.checked(before, known, given, isNew);
    const changed = await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      // The form first, as who changes its settings does.
      if (role && formId) await this.access.lockCount(tx, formId);
      const found = isNew ? before : await destinations.getForUpdate(before.accountId, id);
      if (!found) throw new DestinationNotFound();
      // Somebody may have changed others of its settings since they were read.
      const { settings: was } = isNew ? { settings: known } : await this.opener.open(found);
      const settings = given ? changedSettings(before, was, given, isNew) : was;
      if (role) await this.changeForm(tx, principal, found, settings, changes.paused);
      if (given) Object.assign(found, await this.opener.seal(kind, settings));
      found.change(changes, this.unitOfWork.now());
      if (!role) await this.place(tx, found, isNew, position);
      await destinations.save(found);
      await this.record(tx, principal, `destination.${what}`, found);
      const added = newAddresses(found, was, settings);
      if (added.length > 0) await this.add(tx, found, added, principal);
      return { destination: found, settings };
    });
    this.changed();
    return { ...changed, isReadable: isReadable || given !== undefined };
  }

  /**
   * Makes a new secret for a webhook; the previous one signs for another day.
   * @throws DestinationNotFound, also for a destination of another kind
   */
  async renewSecret(principal: Principal, { kind, accountId, id }: Destination): Promise<OpenedDestination> {
    if (kind !== 'webhook') throw new DestinationNotFound();
    return this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      const changed = await destinations.getForUpdate(accountId, id);
      if (!changed) throw new DestinationNotFound();
      const { settings: known } = await this.opener.open(changed);
      const until = new Date(this.unitOfWork.now().getTime() + OVERLAP_MS);
      const former = { previous_secret: known.secret, previous_until: until.toISOString() };
      const settings = { ...known, ...former, secret: makeWebhookSecret() };
      Object.assign(changed, await this.opener.seal('webhook', settings));
      await destinations.save(changed);
      await this.record(tx, principal, 'destination.secret_renewed', changed);
      return { destination: changed, settings, isReadable: true };
    });
  }

  /** @throws DestinationStays */
  async delete(principal: Principal, destination: Destination) {
    if (destination.role) throw new DestinationStays();
    await this.unitOfWork.run(async (tx) => {
      await this.destinations.in(tx).remove(destination.id);
      await this.record(tx, principal, 'destination.deleted', destination);
    });
    await this.end([destination.id]);
  }

  /** Returns what tells of an id whether it is that of a destination that a form leaves out. */
  excludedFrom({ id }: Form): Promise<(id: Buffer) => boolean> {
    return this.destinations.excludedFrom(id);
  }

  /**
   * Leaves out one of those that a client of a form or its account set for all forms, or takes it in again; what was
   * planned before still goes there.
   * @throws DestinationNotFound for one of the form itself too, and for a client
   */
  async exclude(principal: Principal, form: Form, id: Buffer | null, isExcluded: boolean): Promise<OpenedDestination> {
    const all = principal.clientId === null ? await this.destinations.rowsFor(form) : [];
    const destination = all.find((each) => each.formId === null && id?.equals(each.id));
    if (!destination) throw new DestinationNotFound();
    await this.unitOfWork.run(async (tx) => {
      await this.destinations.in(tx).exclude(form.id, destination.id, isExcluded);
      await this.audit.recordBy(tx, principal, {
        action: isExcluded ? 'destination.excluded' : 'destination.included',
        target: destination.target,
        details: { form: form.identifier },
      });
    });
    this.changed();
    return this.opener.open(destination);
  }

  /**
   * Returns the newest deliveries of a destination. They name visitors, and what receivers answer can repeat a submission.
   * @param state null for all
   * @param before only what was planned before this delivery; null for all
   * @throws MissingRight
   */
  async sentTo(
    principal: Principal,
    { deliveries: of }: Destination,
    state: CallState | null,
    before: Buffer | null,
  ): Promise<SentFound> {
    assertMayReceive(principal);
    const states = state === null ? Object.values(CALL_STATES).flat() : CALL_STATES[state];
    const found = await this.deliveries.newest({ of, states, before, limit: LISTED + 1 });
    const failed = await this.deliveries.countFailedOf(of);
    return { sent: found.slice(0, LISTED), hasMore: found.length > LISTED, failed };
  }

  /** Schedules what failed again, from the start of the schedule. @returns how many */
  retry(principal: Principal, { deliveries, target }: Destination) {
    return this.deliveries.retry(principal, deliveries, target);
  }

  /** Changes the settings of a form that one of its first destinations shows as its own. */
  private async changeForm(
    tx: EntityManager,
    principal: Principal,
    { role, formId, said }: Destination,
    settings: KindSettings,
    paused: boolean | undefined,
  ) {
    const form = role && formId && (await this.access.find(formId, tx));
    if (!form || !said) throw new DestinationNotFound();
    const { switch: turns } = firstOf(role);
    const change = { ...formSettings(role, settings), ...(turns && paused !== undefined && { [turns]: !paused }) };
    const after = await this.forms.changeIn(tx, principal, form.identifier, change);
    Object.assign(said, saidBy(after, role));
  }

  /** Puts a destination at its place in its list. @throws TooManyDestinations */
  private async place(tx: EntityManager, destination: Destination, isNew: boolean, position: number | undefined) {
    const destinations = this.destinations.in(tx);
    const all = await destinations.listOfForUpdate(destination);
    if (isNew && all.length >= DESTINATIONS_MAX) throw new TooManyDestinations(DESTINATIONS_MAX);
    const others = all.filter(({ id }) => !id.equals(destination.id));
    const at = position ?? (isNew ? others.length + 1 : null);
    if (at === null) return;
    for (const [index, each] of others.toSpliced(at - 1, 0, destination).entries()) {
      each.position = index + 1;
      if (each !== destination) await destinations.move(each);
    }
  }

  /** Asks new recipients, where they have to be asked, about the form, or the first of those it serves. */
  private async add(tx: EntityManager, { accountId, formId, clientId }: Destination, emails: string[], by: Principal) {
    const id = formId ?? (await this.access.firstForm({ accountId, clientId }, tx));
    await this.hooks.run(RecipientsAdded, tx, { id, accountId }, emails, by);
  }

  private async record(
    tx: EntityManager,
    principal: Principal,
    action: AuditAction,
    { kind, formId, target }: Destination,
  ) {
    const form = formId && (await this.access.find(formId, tx));
    const details = { kind, ...(form && { form: form.identifier }) };
    return this.audit.recordBy(tx, principal, { action, target, details });
  }
}
