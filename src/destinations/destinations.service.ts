import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { setImmediate } from 'node:timers/promises';
import { ClientDeleted, type ClientKey, ClientsService } from '../clients/clients.service.js';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import { FailingRecipients } from '../bounces/bounces.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail, Mailer, Readers } from '../mail/mailer.js';
import { FormMails } from '../mail/messages/form-mails.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import type { TestCall } from '../webhooks/webhooks.service.js';
import { DestinationCaller, templateIn } from './destination-channel.js';
import { Destination, type DestinationSettings } from './model/destination.entity.js';
import { recipientsIn, type Place, goesOut, type Choice, recipientsOf } from './model/condition.js';
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
import { PatternMatcher } from '../forms/model/field-rules.js';
import { Clock } from '../platform/kernel/time.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { sampleSubmission } from '../submissions/model/submission.errors.js';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';
import { FROM_NEWEST } from '../submissions/rows/submission-ids.js';
import { VerdictsService } from '../submissions/verdicts/verdicts.service.js';

/** Sends samples to destinations, by a call or a mail. */
@Injectable()
export class DestinationSamples {
  constructor(
    private readonly caller: DestinationCaller,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly mailer: Mailer,
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
    private readonly timeouts: CallTimeouts,
  ) {}

  /** Sends one now, and measures how long it takes. */
  async send(destination: Destination, full: SubmissionInFull): Promise<TestCall> {
    const begin = performance.now();
    const result = await this.timeouts.run((signal) =>
      destination.host === null
        ? this.mail(destination, full, signal)
        : this.caller.call(destination, full, `test_${randomBytes(16).toString('hex')}`, signal),
    );
    return { result, durationMs: Math.round(performance.now() - begin) };
  }

  /** Sends a mail to the first recipient that takes mails. */
  private async mail(
    { settings, accountId, isForAccount }: Destination,
    full: SubmissionInFull,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const [first] = await this.recipients.reachable(accountId, recipientsIn(settings));
    if (first === undefined) {
      await this.recipients.askAmong(full.form, recipientsIn(settings));
      return attemptResult(
        'refused',
        'suppressed',
        'None of the recipients has confirmed yet. We have asked them by email.',
      );
    }
    if ((await this.failing.among(accountId, [first])).length > 0) {
      return attemptResult('refused', 'bounced_before', `Emails to ${first} come back.`);
    }
    const brand = await this.readers.brandFor([full.form], first, isForAccount);
    const message = await this.mails.compose('owner', full, first, brand, templateIn(settings));
    return attemptMail(this.mailer, formatUuid(makeUuid()), message, signal);
  }
}

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

/** Submissions that conditions are tried against. */
const TRIED = 20;

/** How conditions did with the last submissions. */
export interface Trial {
  tried: number;
  /** The ids of those that would have gone there, newest first. */
  taken: Buffer[];
}

/** Tries destinations out before anybody relies on them. */
@Injectable()
export class DestinationTrials {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly opener: DestinationOpener,
    private readonly samples: DestinationSamples,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly verdicts: VerdictsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Says which of the last submissions would have gone to a destination with these conditions.
   * @param where its place, with its form unless it is of all forms
   * @param settings of a mail, where who gets it depends on a field
   * @throws SearchUnderWay, SearchesBusy, InvalidFields
   */
  async tryOut(
    principal: Principal,
    { place: { accountId, clientId }, form }: { place: Place; form: Form | null },
    choice: Choice,
    { to = null, route_field = null, routes }: Readonly<Record<string, unknown>> = {},
  ): Promise<Trial> {
    const routing = routes
      ? await this.opener.checked('email', {}, { to, route_field, routes }, true)
      : null;
    const selection = {
      scope: form ? principal : { accountId, clientId },
      forms: form && [form],
      filter: { ...EVERYTHING, spam: null, trash: false },
    };
    const window = { order: 'DESC', bound: FROM_NEWEST, limit: TRIED } as const;
    const { ids } = await this.finder.findFor(principal, selection, window);
    const taken: Buffer[] = [];
    for await (const portion of this.inbox.read(selection, ids)) {
      for (const { submission, files } of portion) {
        const { values, referer, language } = submission;
        const { band } = await this.verdicts.of(submission);
        const hasFiles = files.length > 0;
        const facts = { values, referer, language, hasFiles, matcher: new PatternMatcher() };
        await setImmediate();
        if (goesOut(choice, facts, band) === 'never') continue;
        if (!routing || recipientsOf(routing, facts).length > 0) taken.push(submission.id);
      }
    }
    return { tried: ids.length, taken };
  }

  /**
   * Sends a sample to a destination now; nothing of it is stored.
   * @param form null for one of no form of its own
   * @throws DestinationNotFound, NoFormToTest
   */
  async test(
    principal: Principal,
    place: Place,
    id: Buffer | null,
    form: Form | null,
  ): Promise<TestCall> {
    const { destination } = await this.destinations.show(place, id);
    const { kind, name } = destination;
    await this.audit.recordAloneBy(principal, {
      action: 'destination.tested',
      target: { kind: 'destination', id: formatUuid(destination.id), name },
      details: { kind },
    });
    const now = this.clock.now();
    const about = form ?? (await this.destinations.someForm(place));
    const submission = sampleSubmission(about.id, now, null);
    return this.samples.send(destination, { form: about, submission, files: [] });
  }
}
