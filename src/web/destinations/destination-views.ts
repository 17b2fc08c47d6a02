import { SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { Injectable } from '@nestjs/common';
import { FailingRecipients } from '../../deliveries/bounces/bounces.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { DestinationNotFound } from '../../destinations/destination.errors.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import { DestinationTrials, type TestCall, type Trial } from '../../destinations/destination-trials.js';
import { DestinationsService, type Home } from '../../destinations/destinations.service.js';
import { formerUntil, kindOf } from '../../destinations/kinds/kinds.js';
import { CONDITIONS_MAX, FACT_VALUES } from '../../destinations/model/condition.js';
import { shownSettings, splitSettings } from '../../destinations/model/kind-settings.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import { Config, type FieldProblem, Clock, formatUuid, uuidOf } from '../../platform/index.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import type { Principal } from '../../accounts/access/index.js';
import { testOf } from '../deliveries/test-result.js';
import { FormHeads } from '../form-head/form-head.js';
import { page, type PageAnswer } from '../kit/index.js';
import { textOf, type Typed } from '../parts/index.js';
import { valueFieldsOf } from '../rows/rows.js';
import { DestinationPage, type StoredShown } from './destination.page.js';
import { DestinationsPage, type DestinationRow, type HomeShown } from './destinations.page.js';
import { CALL_FILTERS, callOf, callsAddress, withQuery } from './log.js';
import { conditionTyped, type DestinationTyped, type Sort } from './typed.js';

/** Values of a field that pages offer, and the longest of them in characters. */
const OFFERED = 10;
const OFFERED_MAX = 60;

/** Returns the address of the list. */
export function listOf({ form, place: { clientId } }: Home) {
  if (form) return `/forms/${form.identifier}/settings#notifications`;
  return clientId === null ? '/destinations' : `/destinations?client_id=${clientId}`;
}

/** Returns the address of a destination, below which something is done with it. */
export function pageOf({ form }: Home, id: string) {
  return `${form ? `/forms/${form.identifier}` : ''}/destinations/${id}`;
}

/** Returns the address that draws a new destination. */
function newOf({ form, place: { clientId } }: Home) {
  if (form) return `/forms/${form.identifier}/new-destination`;
  return clientId === null ? '/new-destination' : `/new-destination?client_id=${clientId}`;
}

/** A request for a page about somebody's destinations. */
export interface DestinationsOf {
  signedIn: SignedIn;
  principal: Principal;
  home: Home;
}

/** Facts that a page shows besides what is stored. */
export interface Besides {
  typed?: DestinationTyped;
  problems?: FieldProblem[];
  trial?: Trial;
  test?: TestCall;
  query?: Typed;
  madeSecret?: string | null;
}

/** Puts together what a page shows of a stored destination besides its inputs. */
@Injectable()
export class StoredViews {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly attachments: VisitorAttachments,
    private readonly inbox: InboxService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async of(
    principal: Principal,
    home: Home,
    opened: OpenedDestination,
    here: string,
    query: Typed | undefined,
    test: TestCall | undefined,
  ): Promise<StoredShown> {
    const { destination, settings, isReadable } = opened;
    const { pausedAt, isGivenUp, isPaused, isOff, failingSince, failsUntil, kind, role, position } = destination;
    const shown = CALL_FILTERS.find((state) => state === textOf(query, 'state')) ?? '';
    const before = uuidOf(textOf(query, 'before'));
    const state = shown === '' ? null : shown;
    const found = principal.has('submissions:read')
      ? await this.destinations.sentTo(principal, destination, state, before)
      : { sent: [], hasMore: false, failed: 0 };
    const identifierOf = await this.identifiersOf(principal, home, found.sent);
    const calls = found.sent.map((each) => callOf(each, identifierOf(each)));
    const last = found.hasMore ? calls.at(-1) : undefined;
    const api = `${this.config.baseUrl}/api/v1${here}/deliveries`;
    const isCall = !kindOf(kind).mail;
    return {
      settings: shownSettings(kind, settings),
      ...{ pausedAt, isGivenUp, failingSince, failsUntil, isReadable, isOff },
      mayMove: !role && position > 1,
      previousUntil: formerUntil(settings, this.clock.now()),
      sample: kind === 'webhook' && !isOff ? await this.trials.sampleOf(opened) : null,
      attachment: role === 'visitor' && home.form ? await this.attachments.find(home.form.id) : null,
      test: test ? testOf(test) : null,
      calls: {
        ...{ calls, shown, isOlder: before !== null },
        failed: isPaused && isCall ? 0 : found.failed,
        older: last ? callsAddress(here, shown, last.id) : null,
        apiUrl: principal.clientId === null ? withQuery(api, shown, before === null ? '' : formatUuid(before)) : null,
        mayRetry: principal.may('triage') && pausedAt === null,
      },
    };
  }

  /** Returns which form a delivery is about, null for who may not see submissions. */
  private async identifiersOf(
    principal: Principal,
    { form }: Home,
    sent: readonly DeliveryWithAttempts[],
  ): Promise<(about: DeliveryWithAttempts) => string | null> {
    if (!principal.may('see')) return () => null;
    if (form) return () => form.identifier;
    const ids = sent.flatMap(({ delivery }) => delivery.submissionId ?? []);
    const found = await this.inbox.identifiersOf({ scope: principal, forms: null }, ids);
    return ({ delivery }) => found.get(delivery.submissionId?.toString('latin1') ?? '') ?? null;
  }
}

/** Puts together what the pages of destinations show. */
@Injectable()
export class DestinationViews {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly stored: StoredViews,
    private readonly failing: FailingRecipients,
    private readonly submissions: SubmissionPages,
    private readonly heads: FormHeads,
    private readonly clients: ClientsService,
    private readonly clock: Clock,
  ) {}

  async listPage(asked: DestinationsOf): Promise<PageAnswer> {
    return page(DestinationsPage, await this.list(asked));
  }

  /** Returns what a list of destinations shows. */
  async list({ principal, home }: Pick<DestinationsOf, 'principal' | 'home'>) {
    const { form } = home;
    return {
      home: await this.shown(principal, home),
      rows: await this.rowsOf(principal, home),
      seesAll: principal.clientId === null,
      failing: form ? await this.failing.list(principal, form.identifier) : [],
    };
  }

  /** @param opened null for one that is not stored yet */
  async page(
    { principal, home, signedIn }: DestinationsOf,
    { kind, role }: Sort,
    opened: OpenedDestination | null,
    { typed, problems = [], trial, test, query, madeSecret = null }: Besides,
  ): Promise<PageAnswer> {
    const here = opened ? pageOf(home, formatUuid(opened.destination.id)) : newOf(home);
    const shown = typed ?? (opened ? typedOf(opened) : { ...EMPTY, name: kindOf(kind).label });
    const props = {
      home: await this.shown(principal, home),
      rows: await this.rowsOf(principal, home),
      ...{ kind, role, here, problems, madeSecret, typed: shown },
      stored: opened && (await this.stored.of(principal, home, opened, here, query, test)),
      values: await this.valuesIn(principal, home),
      trial: trial ? { tried: trial.tried, taken: trial.taken.length } : null,
      mayAdd: shown.conditions.length < CONDITIONS_MAX,
      isProven: signedIn.person.verifiedAt !== null,
    };
    // What was typed can have a secret.
    const isSecret = madeSecret !== null || typed !== undefined;
    return page(DestinationPage, props, { isSecret });
  }

  /** Returns what the page of a signing secret shows. @param secret null where it is not shown again */
  async secret(
    { principal, home }: DestinationsOf,
    { destination: { id, name, kind }, settings }: OpenedDestination,
    secret: string | null,
  ) {
    if (kind !== 'webhook') throw new DestinationNotFound();
    return {
      home: await this.shown(principal, home),
      ...{ here: pageOf(home, formatUuid(id)), name, secret },
      signature: settings.signature ?? 'standard',
      previousUntil: formerUntil(settings, this.clock.now()),
    };
  }

  /** Returns the fields that a form received lately, each with values that it had, and those that facts can have. */
  private async valuesIn(principal: Principal, { form }: Home) {
    const facts = Object.entries(FACT_VALUES).map(([fact, all]) => [fact, [...all]] as const);
    const known = new Map<string, readonly string[]>(facts);
    if (!form || !principal.may('see')) return known;
    const newest = await this.submissions.newest(principal, form.identifier);
    const fields = valueFieldsOf(newest);
    const texts = newest.flatMap(({ submission }) => submission.texts);
    for (const field of fields) {
      const values = texts.filter(({ name, text }) => name === field && text.length <= OFFERED_MAX);
      const each = [...new Set(values.map(({ text }) => text.trim()))];
      known.set(`field:${field}`, each.filter((text) => text !== '').slice(0, OFFERED));
    }
    return known;
  }

  private async shown(principal: Principal, home: Home): Promise<HomeShown> {
    const { form, place } = home;
    const { accountId, clientId } = place;
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    return {
      form: form && (await this.heads.of(principal, form)),
      client: client && { id: client.id, name: client.name },
      ...{ listAt: listOf(home), newAt: newOf(home) },
      addAt: form ? `/forms/${form.identifier}/destinations` : listOf(home),
    };
  }

  private async rowsOf(principal: Principal, home: Home): Promise<DestinationRow[]> {
    const { form, place } = home;
    if (!form) return (await this.destinations.list(place)).map((each) => rowOf(each, home, false));
    const opened = await this.destinations.listFor(principal, form);
    const isExcluded = await this.destinations.excludedFrom(form);
    return opened.map((each) => rowOf(each, home, isExcluded(each.destination.id)));
  }
}

const EMPTY: DestinationTyped = { ...{ name: '', isOn: true, settings: {}, match: 'all', conditions: [] } };

/** Returns a stored destination as its inputs show it, without its secrets. */
function typedOf({ destination, settings }: OpenedDestination): DestinationTyped {
  const { name, kind, match, conditions, isPaused } = destination;
  const { open } = splitSettings(kind, settings);
  return { ...{ name, isOn: !isPaused, settings: open, match }, conditions: conditions.map(conditionTyped) };
}

function rowOf({ destination, settings }: OpenedDestination, home: Home, isExcluded: boolean): DestinationRow {
  const { formId, clientId, name, kind, role, match, conditions, host } = destination;
  const id = formatUuid(destination.id);
  const isOfAll = formId === null && home.form !== null;
  const href = isOfAll ? `/destinations/${id}` : pageOf(home, id);
  const { to, subject, url, digest = 'each' } = settings;
  return {
    ...{ id, name, kind, role, match, conditions, href, digest },
    of: !isOfAll ? 'form' : clientId === null ? 'account' : 'client',
    goesTo: to?.replaceAll(',', ', ') ?? subject ?? (role && url ? new URL(url).host : host),
    state: isExcluded ? 'excluded' : stateOf(destination),
    exclusion: isOfAll ? { at: `${pageOf(home, id)}/${isExcluded ? 'include' : 'exclude'}`, isExcluded } : null,
  };
}

function stateOf({
  isPaused,
  isGivenUp,
  isOff,
  failingSince,
}: OpenedDestination['destination']): DestinationRow['state'] {
  if (isOff) return 'off';
  if (isGivenUp) return 'gave_up';
  if (isPaused) return 'paused';
  return failingSince === null ? 'on' : 'failing';
}
