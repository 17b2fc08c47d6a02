import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FurtherPlan, type SentSubmission } from '../notifications/notification-planner.js';
import { DestinationsChanged } from './destinations.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { DestinationsRepository } from './destinations.repository.js';
import type { DeliveryWithAttempts } from '../deliveries/model/delivery-filter.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { goesOut, type Facts } from './model/condition.js';
import { recipientsOf } from './model/kind-settings.js';
import type { PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FilesService } from '../files/files.service.js';
import { PatternMatcher } from '../forms/model/field-rules.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import type { Band } from '../spam/evidence/verdict.js';
import type { Destination } from './model/destination.entity.js';

/** Deliveries of a destination, newest first. */
export interface SentFound {
  sent: DeliveryWithAttempts[];
  /** Whether there are older ones. */
  hasMore: boolean;
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
