import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { answerableVisitor, Caused, type SentSubmission } from '../deliveries/delivery-planner.js';
import { DestinationsChanged } from './destinations.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { DestinationsRepository, withFirst } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';
import { firstOf, recipientsOf } from './model/kind-settings.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { goesOut, type Facts } from './model/condition.js';
import type { Delivery, PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FilesService } from '../submissions/files/files.service.js';
import { PatternMatcher } from '../forms/model/field.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import type { Band } from '../spam/evidence/verdict.js';
import type { Destination } from './model/destination.entity.js';

/** The part of a destination that says who gets its deliveries. */
interface Sending extends Pick<Destination, 'role' | 'kind' | 'host'> {
  settings: KindSettings;
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

  @Caused()
  async plan(form: Form, sent: SentSubmission, band: Band, tx?: EntityManager): Promise<PlannedDelivery[]> {
    const all = withFirst(form, await this.rowsOf(form, tx)).filter(({ isOff }) => !isOff);
    const facts = all.some(asks) ? await this.factsOf(sent, tx) : NO_FACTS;
    const made = sent.isNew ? [] : await this.deliveries.madeFor(sent.id, tx);
    const served = new Set(made.map(servedBy));
    const told = new Set(made.filter(({ state }) => state !== 'failed').map(toldBy));
    const chosen = all
      .filter((each) => each.role === 'team' || !served.has(servedAs(each)))
      .map((destination) => ({ destination, goes: goesOut(destination, facts, band) }))
      .filter(({ goes }) => goes !== 'never');
    const planned: PlannedDelivery[] = [];
    // Mails to people last, since who is told once is not told again; but for the team of the form, which comes first.
    for (const each of [...chosen].sort(bySureness)) {
      const about = aboutOf(each, band);
      // The team of the form gets all mails that its list names, also two that differ in case only.
      const before = each.destination.role === 'team' ? new Set(told) : told;
      for (const plan of await this.deliveriesOf(each.destination, form, sent, facts, tx)) {
        const key = toldBy(plan);
        if (key !== null && before.has(key)) continue;
        told.add(key);
        planned.push({ ...plan, ...about });
      }
    }
    return planned;
  }

  /** Returns the deliveries of one destination, for a submission that goes there. */
  async deliveriesOf(
    { role, kind, host, settings }: Sending,
    form: Form,
    { values }: Pick<SentSubmission, 'values'>,
    facts: Pick<Facts, 'values'>,
    tx?: EntityManager,
  ): Promise<Pick<PlannedDelivery, 'kind' | 'recipient'>[]> {
    const { mail } = kindOf(kind);
    if (mail === 'visitor') {
      const visitor = answerableVisitor(form, values);
      return visitor === null ? [] : [{ kind: 'submitter_email', recipient: visitor }];
    }
    if (!mail) {
      if (role) return [{ kind: 'webhook', recipient: settings.url ?? '' }];
      return host === null ? [] : [{ kind: 'destination', recipient: host }];
    }
    const isUnnamed = role === 'team' && settings.to === undefined;
    const own = isUnnamed ? await this.recipients.of(form, tx) : [];
    const named = recipientsOf(isUnnamed ? { ...settings, to: own.join() } : settings, facts);
    const others = named.filter((email) => !own.includes(email));
    const open = await this.recipients.reachable(form.accountId, others, tx);
    const emails = named.filter((email) => own.includes(email) || open.includes(email));
    return emails.map((recipient) => ({ kind: 'owner_email', recipient }));
  }

  /** Returns the rows of where the submissions of a form can go, without what it leaves out. */
  private async rowsOf(form: Form, tx?: EntityManager) {
    const known = this.copies.get(form.id);
    if (known && known.until > performance.now()) return known.all;
    const all = await this.destinations.in(tx).rowsServing(form);
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

/** Facts of a submission that nothing asks about. */
const NO_FACTS: Facts = {
  values: { items: () => [] },
  ...{ referer: null, language: null, hasFiles: false, matcher: new PatternMatcher() },
};

/** Tells whether it depends on a submission whether or to whom it goes. */
function asks({ conditions, settings }: Destination) {
  return conditions.length > 0 || settings.routes !== undefined;
}

/** A destination that a submission goes to. */
interface Chosen {
  destination: Destination;
  goes: 'at once' | 'once released' | 'never';
}

/** Returns what a delivery tells of its destination; deliveries of the first ones are told by kind. */
function aboutOf({ destination, goes }: Chosen, band: Band): Partial<PlannedDelivery> {
  const { id, formId, role, conditions } = destination;
  const isAskedFor = goes === 'at once' && band !== 'clean';
  if (!role) return { destinationId: id, isAskedFor, isOfAccount: formId === null };
  return { isAskedFor, tellsOfHeld: role === 'team' && conditions.length === 0 };
}

/** Orders destinations so that of several that tell a person, the one is first that does so soonest. */
function bySureness(one: Chosen, other: Chosen) {
  const waits = ({ destination: { role, kind, settings, isPaused }, goes }: Chosen) => {
    if (role) return role === 'team' ? -3 : role === 'visitor' ? -2 : -1;
    if (kindOf(kind).mail !== 'owner') return 0;
    const gathers = { each: 1, hourly: 2, daily: 3 }[settings.digest ?? 'each'] ?? 1;
    return (isPaused ? 6 : 0) + (goes === 'at once' ? 0 : 3) + gathers;
  };
  return waits(one) - waits(other);
}

/** Names the destination of a delivery. */
function servedBy({ destinationId, kind }: Delivery) {
  return destinationId?.toString('hex') ?? kind;
}

function servedAs({ id, role }: Destination) {
  return role ? firstOf(role).delivery : id.toString('hex');
}

/** Returns whom a mail to owners tells, so that nobody is told twice; null for what is none. */
function toldBy({ kind, recipient }: Pick<PlannedDelivery, 'kind' | 'recipient'>) {
  return kind === 'owner_email' ? recipient.toLowerCase() : null;
}
