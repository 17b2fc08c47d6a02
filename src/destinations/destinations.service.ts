import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientDeleted, type ClientKey, ClientsService } from '../clients/clients.service.js';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { Destination, type DestinationSettings } from './model/destination.entity.js';
import { recipientsIn, type Place } from './model/kind-settings.js';
import type { Principal, Scope } from '../access/principal.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { AuditService } from '../audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { ClientNotFound } from '../clients/client.errors.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Projected, type Projection } from '../projections/projections.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import {
  DestinationNotFound,
  DestinationsOfAccount,
  NoFormToTest,
  TooManyDestinations,
} from './destination.errors.js';
import { DestinationsRepository } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import { kindOf, type KindName } from './kinds/kinds.js';

/** Most destinations of a form, of a client, and of an account for all its forms. */
const DESTINATIONS_MAX = 50;

/** Changes to a destination; what is left out stays. */
export interface DestinationChanges extends Partial<DestinationSettings> {
  settings?: Readonly<Record<string, unknown>>;
  /** Place in its list, from 1. */
  position?: number;
}

/** Runs after each change of destinations. */
export const DestinationsChanged = hook<() => void>();

/** Keeps where submissions go: for a form, for all forms of a client, or for all of an account. */
@Injectable()
@Projected({ tables: ['destinations', 'destination_exclusions'] })
export class DestinationsService implements Projection {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly clients: ClientsService,
    private readonly access: FormQueries,
    private readonly recipients: RecipientsService,
    private readonly opener: DestinationOpener,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
  ) {}

  @ClientDeleted()
  removeOfClient(tx: EntityManager, { accountId, id }: ClientKey): Promise<void> {
    return this.destinations.in(tx).removeOfClient(accountId, id);
  }

  /** Tells who follows that destinations are others now. */
  changed(): void {
    void this.hooks.run(DestinationsChanged);
  }

  /**
   * Returns the place of the destinations of all forms of an account, or of one of its clients.
   * @throws DestinationsOfAccount for a client, ClientNotFound
   */
  async placeOf(
    { accountId, clientId: asking }: Scope,
    clientId: number | null = null,
  ): Promise<Place> {
    if (asking !== null) throw new DestinationsOfAccount();
    if (clientId !== null && !(await this.clients.find(accountId, clientId))) {
      throw new ClientNotFound();
    }
    return { accountId, formId: null, clientId };
  }

  /**
   * Returns the place of a destination of an account, wherever that is.
   * @throws DestinationNotFound, also for a client
   */
  async placeOfOne({ accountId, clientId }: Scope, id: Buffer | null): Promise<Place> {
    const destination = id && (await this.destinations.findIn(accountId, id));
    if (!destination || clientId !== null) throw new DestinationNotFound();
    return destination;
  }

  /** Returns the destinations of a form, and for its account those of its clients and of the account. */
  async listFor({ clientId }: Scope, form: Form): Promise<OpenedDestination[]> {
    const found = await this.destinations.listFor(form);
    const shown = found.filter(({ formId }) => clientId === null || formId !== null);
    return Promise.all(shown.map((destination) => this.opener.open(destination)));
  }

  /**
   * Returns a form of the account, to show what goes to a destination of all of them.
   * @throws NoFormToTest
   */
  async someForm(place: Place): Promise<Form> {
    const id = await this.access.firstForm(place);
    const form = id && (await this.access.find(id));
    if (!form) throw new NoFormToTest();
    return form;
  }

  async list(place: Place): Promise<OpenedDestination[]> {
    const found = await this.destinations.listOf(place);
    return Promise.all(found.map((destination) => this.opener.open(destination)));
  }

  /** @throws DestinationNotFound */
  async show(place: Place, id: Buffer | null): Promise<OpenedDestination> {
    const destination = id && (await this.destinations.find(place, id));
    if (!destination) throw new DestinationNotFound();
    return this.opener.open(destination);
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
    return this.apply(principal, opened, { settings: {}, ...changes }, 'created');
  }

  /** @throws DestinationNotFound, InvalidFields, PrivateAddress */
  async change(
    principal: Principal,
    place: Place,
    id: Buffer | null,
    changes: DestinationChanges,
  ): Promise<OpenedDestination> {
    return this.apply(principal, await this.show(place, id), changes, 'changed');
  }

  /** @throws DestinationNotFound */
  async delete(principal: Principal, place: Place, id: Buffer | null): Promise<void> {
    const { destination } = await this.show(place, id);
    await this.unitOfWork.run(async (tx) => {
      await this.destinations.in(tx).remove(destination.id);
      await this.record(tx, principal, 'destination.deleted', destination);
    });
    this.changed();
  }

  /** Removes what is left of a deleted form. */
  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.destinations.in(tx).removeOfForm(formId));
  }

  private async apply(
    principal: Principal,
    { destination: before, settings: known, isReadable }: OpenedDestination,
    { settings: given, position, ...changes }: DestinationChanges,
    what: 'created' | 'changed',
  ): Promise<OpenedDestination> {
    const { id, kind } = before;
    const isNew = what === 'created';
    const settings = given ? await this.opener.checked(kind, known, given, isNew) : known;
    const stored = given && (await this.opener.seal(kind, settings));
    const added = newAddresses(kind, known, settings);
    const destination = await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      const all = await destinations.listOfForUpdate(before);
      if (isNew && all.length >= DESTINATIONS_MAX) throw new TooManyDestinations(DESTINATIONS_MAX);
      const changed = isNew ? before : all.find((each) => each.id.equals(id));
      if (!changed) throw new DestinationNotFound();
      Object.assign(changed, stored);
      changed.change(changes, this.unitOfWork.now());
      const others = all.filter((each) => each !== changed);
      const at = position ?? (isNew ? others.length + 1 : null);
      for (const [index, each] of at === null
        ? []
        : others.toSpliced(at - 1, 0, changed).entries()) {
        each.position = index + 1;
        if (each !== changed) await destinations.move(each);
      }
      await destinations.save(changed);
      await this.record(tx, principal, `destination.${what}`, changed);
      if (added.length > 0) await this.add(tx, changed, added, principal);
      return changed;
    });
    this.changed();
    return { destination, settings, isReadable: isReadable || given !== undefined };
  }

  /** Asks new recipients, where they have to be asked, about the form, or the first of those it serves. */
  private async add(
    tx: EntityManager,
    { accountId, formId, clientId }: Destination,
    emails: string[],
    by: Principal,
  ): Promise<void> {
    const id = formId ?? (await this.access.firstForm({ accountId, clientId }, tx));
    await this.recipients.add(tx, { id, accountId }, emails, by);
  }

  private record(
    tx: EntityManager,
    principal: Principal,
    action: AuditAction,
    { id, name, kind }: Destination,
  ): Promise<void> {
    const target = { kind: 'destination', id: formatUuid(id), name } as const;
    return this.audit.recordBy(tx, principal, { action, target, details: { kind } });
  }
}

/** Returns the addresses of mails that were not named before. */
function newAddresses(kind: KindName, before: KindSettings, after: KindSettings): string[] {
  if (kindOf(kind).request) return [];
  const known = new Set(recipientsIn(before));
  return recipientsIn(after).filter((address) => !known.has(address));
}

/** How conditions did with the last submissions. */
export interface Trial {
  tried: number;
  /** The ids of those that would have gone there, newest first. */
  taken: Buffer[];
}
