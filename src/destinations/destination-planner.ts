import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FurtherPlan, type SentSubmission } from '../notifications/notification-planner.js';
import { DestinationsChanged, DestinationsService } from './destinations.service.js';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import { DestinationNotFound } from './destination.errors.js';
import { DestinationsRepository } from './destinations.repository.js';
import type { DeliveryWithAttempts } from '../deliveries/model/delivery-filter.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { CALL_STATES, type CallState } from '../webhooks/webhooks.service.js';
import { type Place, goesOut, type Facts, recipientsOf } from './model/condition.js';
import type { PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FilesService } from '../files/files.service.js';
import { PatternMatcher } from '../forms/model/field-rules.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import type { Band } from '../spam/evidence/verdict.js';
import type { Destination } from './model/destination.entity.js';

/** Lets a form leave out destinations that its clients or the account set for all forms. */
@Injectable()
export class DestinationExclusions {
  constructor(
    private readonly service: DestinationsService,
    private readonly destinations: DestinationsRepository,
    private readonly opener: DestinationOpener,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the ids of the destinations that a form leaves out, in hex. */
  async of({ id }: Pick<Form, 'id'>): Promise<ReadonlySet<string>> {
    return new Set((await this.destinations.excludedFrom(id)).map((each) => each.toString('hex')));
  }

  /**
   * Leaves a destination out, or takes it in again; what was planned before still goes there.
   * @throws DestinationNotFound for one of the form itself too, and for a client
   */
  async set(
    principal: Principal,
    form: Form,
    id: Buffer | null,
    isExcluded: boolean,
  ): Promise<OpenedDestination> {
    const all = principal.clientId === null ? await this.destinations.listFor(form) : [];
    const destination = all.find((each) => each.formId === null && id?.equals(each.id));
    if (!destination) throw new DestinationNotFound();
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      await destinations[isExcluded ? 'exclude' : 'include'](form.id, destination.id);
      await this.audit.recordBy(tx, principal, {
        action: isExcluded ? 'destination.excluded' : 'destination.included',
        target: { kind: 'destination', id: formatUuid(destination.id), name: destination.name },
        details: { form: form.identifier },
      });
    });
    this.service.changed();
    return this.opener.open(destination);
  }
}

/** Deliveries on a page of the log. */
const LISTED = 25;

/** Deliveries of a destination, newest first. */
export interface SentFound {
  sent: DeliveryWithAttempts[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

/** Shows what destinations were sent, and sends again what failed. */
@Injectable()
export class DestinationLog {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the newest deliveries of a destination.
   * @param state null for all
   * @param before only what was planned before this delivery; null for all
   * @throws DestinationNotFound
   */
  async list(
    place: Place,
    id: Buffer | null,
    state: CallState | null,
    before: Buffer | null,
  ): Promise<SentFound> {
    const { destination } = await this.destinations.show(place, id);
    const states = state === null ? Object.values(CALL_STATES).flat() : CALL_STATES[state];
    const asked = { destinationId: destination.id, states, before, limit: LISTED + 1 };
    const found = await this.deliveries.newestTo(asked);
    return { sent: found.slice(0, LISTED), hasMore: found.length > LISTED };
  }

  /**
   * Schedules what failed again, from the start of the schedule.
   * @returns how many
   * @throws DestinationNotFound
   */
  async retry(principal: Principal, place: Place, id: Buffer | null): Promise<number> {
    const { destination } = await this.destinations.show(place, id);
    const target = {
      ...{ kind: 'destination', id: formatUuid(destination.id) },
      name: destination.name,
    };
    return this.deliveries.retry(destination.id, (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'deliveries.retried',
        target,
        details: { count },
      }),
    );
  }
}

/** How long another instance may still use what it knew, in milliseconds; every submission asks. */
const COPY_TTL_MS = 1_000;
const COPIES_MAX = 10_000;

/** Plans what goes to the destinations of forms, each submission once to each of those whose conditions hold. */
@Injectable()
export class DestinationPlanner {
  private readonly copies = new Map<number, { all: Destination[]; until: number }>();

  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly recipients: RecipientsService,
    private readonly files: FilesService,
  ) {}

  @DestinationsChanged()
  forgetCopies(): void {
    this.copies.clear();
  }

  @FurtherPlan()
  async plan(
    form: Form,
    sent: SentSubmission,
    band: Band,
    own: PlannedDelivery[],
    tx?: EntityManager,
  ): Promise<PlannedDelivery[]> {
    const all = await this.of(form, tx);
    if (all.length === 0) return own;
    const facts = await this.factsOf(sent, tx);
    const made = sent.isNew ? [] : await this.deliveries.madeFor(sent.id, tx);
    const served = new Set(made.map(({ destinationId }) => destinationId?.toString('hex')));
    const told = new Set(made.filter(({ state }) => state !== 'failed').map(toldBy));
    const planned = own.filter((each) => !told.has(toldBy(each)) || toldBy(each) === null);
    for (const each of planned) told.add(toldBy(each));
    const chosen = all
      .filter(({ id }) => !served.has(id.toString('hex')))
      .map((destination) => ({ destination, goes: goesOut(destination, facts, band) }))
      .filter(({ goes }) => goes !== 'never')
      .map((each) => ({ ...each, about: aboutOf(each, band) }));
    for (const { destination, about } of chosen) {
      const { host: recipient } = destination;
      if (recipient !== null) planned.push({ kind: 'destination', recipient, ...about });
    }
    const mails = chosen.filter(({ destination }) => destination.host === null);
    for (const { destination, about } of mails.sort(bySureness)) {
      const named = recipientsOf(destination.settings, facts);
      for (const recipient of await this.recipients.reachable(form.accountId, named, tx)) {
        const mail = { kind: 'owner_email', recipient, ...about } as const;
        if (told.has(toldBy(mail))) continue;
        told.add(toldBy(mail));
        planned.push(mail);
      }
    }
    return planned;
  }

  /** Returns where the submissions of a form can go, without what it leaves out. */
  private async of(form: Form, tx?: EntityManager): Promise<Destination[]> {
    const known = this.copies.get(form.id);
    if (known && known.until > performance.now()) return known.all;
    const destinations = tx ? this.destinations.in(tx) : this.destinations;
    const found = await destinations.listFor(form);
    const excluded = await destinations.excludedFrom(form.id);
    const all = found.filter(({ id }) => !excluded.some((each) => each.equals(id)));
    if (this.copies.size >= COPIES_MAX) this.copies.clear();
    this.copies.set(form.id, { all, until: performance.now() + COPY_TTL_MS });
    return all;
  }

  private async factsOf(sent: SentSubmission, tx?: EntityManager): Promise<Facts> {
    const { values, referer, language, isNew } = sent;
    let items: ReturnType<typeof values.items> | null = null;
    const once = { items: () => (items ??= values.items()) };
    const hasFiles = isNew?.hasFiles ?? (await this.files.listFor([sent.id], tx)).length > 0;
    const matcher = isNew?.matcher ?? new PatternMatcher();
    return { values: once, referer, language, hasFiles, matcher };
  }
}

/** A destination that a submission goes to. */
interface Chosen {
  destination: Destination;
  goes: 'at once' | 'once released' | 'never';
}

/** Returns what a delivery tells of its destination. */
function aboutOf({ destination: { id, formId }, goes }: Chosen, band: Band) {
  const isAskedFor = goes === 'at once' && band !== 'clean';
  return { destinationId: id, isAskedFor, isOfAccount: formId === null };
}

/** Orders destinations so that of several that tell a person, the one is first that does so soonest. */
function bySureness(one: Chosen, other: Chosen): number {
  const waits = ({ destination, goes }: Chosen) => {
    const { digest = 'each' } = destination.settings;
    const gathers = { each: 0, hourly: 1, daily: 2 }[digest] ?? 0;
    return (destination.isPaused ? 6 : 0) + (goes === 'at once' ? 0 : 3) + gathers;
  };
  return waits(one) - waits(other);
}

/** Returns whom a mail to owners tells, so that nobody is told twice; null for what is none. */
function toldBy({ kind, recipient }: Pick<PlannedDelivery, 'kind' | 'recipient'>): string | null {
  return kind === 'owner_email' ? recipient.toLowerCase() : null;
}
