import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal } from '../../access/principal.js';
import type { Client } from '../../clients/client.entity.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import { DestinationsService, type Trial } from '../../destinations/destinations.service.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import {
  placeOf,
  type Place,
  shownSettings,
  splitSettings,
} from '../../destinations/model/kind-settings.js';
import type { Form } from '../../forms/model/form.entity.js';
import { recordIdOf } from '../../platform/http/shapes.js';
import { textOf, type Typed } from '../parts/typed.js';
import {
  DestinationExclusions,
  DestinationLog,
} from '../../destinations/destination-exclusions.service.js';
import type { KindName } from '../../destinations/kinds/kinds.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, uuidOf } from '../../platform/kernel/uuid.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import type { TestCall } from '../../webhooks/webhooks.service.js';
import { callOf, testOf } from '../webhooks/webhook.page.js';
import { FormHeads } from '../form-head/form-head.js';
import { SentFields, valueFieldsOf } from '../rows/rows.js';
import { CALL_FILTERS, callsAddress, withQuery } from '../webhooks/webhook-calls.js';
import {
  type HomeShown,
  DestinationsPage,
  type DestinationRow,
  destinationWords,
} from './destinations.page.js';
import { DestinationPage, type StoredShown } from './destination.page.js';
import { conditionTyped, type DestinationTyped } from './typed.js';
import { page, type PageAnswer } from '../kit/answers.js';

/** Whose destinations a page is about: a form's, or those of all forms of a client or of the account. */
interface Home {
  place: Place;
  /** Null for one of all forms. */
  form: Form | null;
  /** The client whose forms are meant; null for a form, and for all of the account. */
  client: Pick<Client, 'id' | 'name'> | null;
}

/** Returns the address of the list. */
export function listOf({ form, client }: Home): string {
  if (form) return `/forms/${form.identifier}/destinations`;
  return client ? `/destinations?client_id=${client.id}` : '/destinations';
}

/** Returns the address of a destination, below which something is done with it. */
export function pageOf({ form }: Home, id: string): string {
  return form ? `/forms/${form.identifier}/destinations/${id}` : `/destinations/${id}`;
}

/** Returns the address that draws a new destination. */
function newOf({ form, client }: Home): string {
  if (form) return `/forms/${form.identifier}/new-destination`;
  return client ? `/new-destination?client_id=${client.id}` : '/new-destination';
}

/** A request for a page about somebody's destinations. */
export interface DestinationsOf {
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

/** Puts together what the pages of destinations show. */
@Injectable()
export class DestinationViews {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly exclusions: DestinationExclusions,
    private readonly log: DestinationLog,
    private readonly inbox: InboxService,
    private readonly sent: SentFields,
    private readonly heads: FormHeads,
    private readonly config: Config,
    private readonly clients: ClientsService,
    private readonly forms: FormQueries,
  ) {}

  async listPage({ principal, home }: DestinationsOf): Promise<PageAnswer> {
    return page(DestinationsPage, {
      home: await this.shown(principal, home),
      rows: await this.rowsOf(principal, home),
      seesAll: principal.clientId === null,
    });
  }

  /** @param opened null for one that is not stored yet */
  async page(
    { principal, home }: DestinationsOf,
    kind: KindName,
    opened: OpenedDestination | null,
    { typed, problems = [], trial, test, query, madeSecret = null }: Besides,
  ): Promise<PageAnswer> {
    const here = opened ? pageOf(home, formatUuid(opened.destination.id)) : listOf(home);
    const shown = typed ?? (opened ? typedOf(opened) : EMPTY);
    const props = {
      home: await this.shown(principal, home),
      ...{ kind, here, problems, madeSecret, typed: shown },
      stored: opened && (await this.storedOf(principal, home, opened, here, query, test)),
      fields:
        home.form && principal.may('see')
          ? valueFieldsOf(await this.sent.newest(principal, home.form.identifier))
          : [],
      trial: trial ? { tried: trial.tried, taken: trial.taken.length } : null,
      mayAdd: shown.conditions.length < CONDITIONS_MAX,
    };
    // What was typed can have a secret.
    const isSecret = madeSecret !== null || typed !== undefined;
    return page(DestinationPage, props, { isSecret });
  }

  private async storedOf(
    principal: Principal,
    home: Home,
    opened: OpenedDestination,
    here: string,
    query: Typed | undefined,
    test: TestCall | undefined,
  ): Promise<StoredShown> {
    const { destination, settings, isReadable } = opened;
    const shown = CALL_FILTERS.find((state) => state === textOf(query, 'state')) ?? '';
    const before = uuidOf(textOf(query, 'before'));
    const state = shown === '' ? null : shown;
    const found = await this.log.list(home.place, destination.id, state, before);
    const identifierOf = await this.identifiersOf(principal, home, found.sent);
    const calls = found.sent.map((each) => callOf(each, identifierOf(each)));
    const last = found.hasMore ? calls.at(-1) : undefined;
    const api = `${this.config.baseUrl}/api/v1${here}/deliveries`;
    const { pausedAt, isGivenUp, failingSince, kind } = destination;
    return {
      settings: shownSettings(kind, settings),
      ...{ pausedAt, isGivenUp, failingSince, isReadable },
      test: test ? testOf(test) : null,
      calls: {
        ...{ calls, shown, isOlder: before !== null, redeliverAt: null },
        older: last ? callsAddress(here, shown, last.id) : null,
        apiUrl:
          principal.clientId === null
            ? withQuery(api, shown, before === null ? '' : formatUuid(before))
            : null,
        mayRetry: principal.may('triage') && pausedAt === null,
      },
    };
  }

  private async shown(principal: Principal, home: Home): Promise<HomeShown> {
    const { form, client } = home;
    return {
      form: form && (await this.heads.of(principal, form)),
      client: client && { id: client.id, name: client.name },
      ...{ listAt: listOf(home), newAt: newOf(home) },
    };
  }

  private async rowsOf(principal: Principal, home: Home): Promise<DestinationRow[]> {
    const { form, place } = home;
    if (!form) return (await this.destinations.list(place)).map((each) => rowOf(each, home, false));
    const opened = await this.destinations.listFor(principal, form);
    const excluded = await this.exclusions.of(form);
    const rows = opened.map((each) =>
      rowOf(each, home, excluded.has(each.destination.id.toString('hex'))),
    );
    return [...namedBySettings(form), ...rows];
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

  /**
   * Returns the home that an address names: a form, or a client by its query, or the account.
   * @param identifier undefined for no form
   * @throws FormNotFound, ClientNotFound, DestinationsOfAccount for a client
   */
  async of(principal: Principal, identifier: string | undefined, query: Typed): Promise<Home> {
    if (identifier !== undefined) return this.ofForm(principal, identifier);
    const named = textOf(query, 'client_id');
    const clientId = named === '' ? null : recordIdOf(named);
    return this.ofPlace(await this.destinations.placeOf(principal, clientId));
  }

  /**
   * Returns a destination with its home.
   * @throws FormNotFound, DestinationNotFound
   */
  async ofOne(
    principal: Principal,
    identifier: string | undefined,
    id: Buffer | null,
  ): Promise<{ home: Home; opened: OpenedDestination }> {
    const home =
      identifier === undefined
        ? await this.ofPlace(await this.destinations.placeOfOne(principal, id))
        : await this.ofForm(principal, identifier);
    return { home, opened: await this.destinations.show(home.place, id) };
  }

  private async ofForm(principal: Principal, identifier: string): Promise<Home> {
    const form = await this.forms.get(principal, identifier);
    return { place: placeOf(form), form, client: null };
  }

  private async ofPlace({ accountId, formId, clientId }: Place): Promise<Home> {
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    const form = formId === null ? null : await this.forms.find(formId);
    return { place: { accountId, formId, clientId }, form, client };
  }
}

const EMPTY: DestinationTyped = { name: '', settings: {}, match: 'all', conditions: [] };

/** Returns a stored destination as its inputs show it, without its secrets. */
function typedOf({ destination, settings }: OpenedDestination): DestinationTyped {
  const { name, kind, match, conditions } = destination;
  const { open } = splitSettings(kind, settings);
  return { name, settings: open, match, conditions: conditions.map(conditionTyped) };
}

function rowOf(
  { destination }: OpenedDestination,
  home: Home,
  isExcluded: boolean,
): DestinationRow {
  const { formId, clientId, name, kind, match, conditions, position } = destination;
  const id = formatUuid(destination.id);
  const isOfAll = formId === null && home.form !== null;
  const href = isOfAll ? `/destinations/${id}` : pageOf(home, id);
  return {
    ...{ name, kind, match, conditions, href },
    of: !isOfAll ? 'form' : clientId === null ? 'account' : 'client',
    state: isExcluded ? 'excluded' : stateOf(destination),
    upAt: !isOfAll && position > 1 ? `${href}/up` : null,
    exclusion: isOfAll
      ? { at: `${pageOf(home, id)}/${isExcluded ? 'include' : 'exclude'}`, isExcluded }
      : null,
  };
}

function stateOf({
  isPaused,
  isGivenUp,
  failingSince,
}: OpenedDestination['destination']): DestinationRow['state'] {
  if (isGivenUp) return 'gave_up';
  if (isPaused) return 'paused';
  return failingSince === null ? 'on' : 'failing';
}

/** Returns what the settings of a form name, as rows that lead to the pages that change it. */
function namedBySettings(form: Form): DestinationRow[] {
  const { identifier, webhookUrl, notifyOwnerOnSubmission: isOn } = form;
  const common = {
    of: 'settings',
    match: 'all',
    conditions: [],
    upAt: null,
    exclusion: null,
  } as const;
  const mails: DestinationRow = {
    ...{
      ...common,
      kind: 'email',
      name: destinationWords.ownerEmails,
      state: isOn ? 'on' : 'paused',
    },
    href: `/forms/${identifier}/notifications`,
  };
  if (webhookUrl === null) return [mails];
  const href = `/forms/${identifier}/webhook`;
  return [
    mails,
    { ...common, kind: 'webhook', name: destinationWords.ownerWebhook, state: 'on', href },
  ];
}
