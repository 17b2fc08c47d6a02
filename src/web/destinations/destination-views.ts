import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { DestinationExclusions } from '../../destinations/destination-exclusions.service.js';
import { DestinationLog } from '../../destinations/destination-log.service.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import type { Trial } from '../../destinations/destination-trials.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import type { KindName } from '../../destinations/kinds/kinds.js';
import { shownSettings, splitSettings } from '../../destinations/model/kind-settings.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-with-attempts.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, uuidOf } from '../../platform/kernel/uuid.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import type { TestCall } from '../../webhooks/webhook-test-calls.js';
import { callOf, testOf } from '../webhooks/shown.js';
import { FormHeads } from '../form-head/form-heads.js';
import { textOf, type Typed } from '../parts/typed.js';
import { SentFields, valueFieldsOf } from '../rows/sent-fields.js';
import { CALL_FILTERS, callsAddress, withQuery } from '../webhooks/webhook-calls.js';
import type { HomeShown } from './around.js';
import { DestinationPage, type StoredShown } from './destination.page.js';
import { DestinationsPage, type DestinationRow } from './destinations.page.js';
import { listOf, newOf, pageOf, type Home } from './homes.js';
import { conditionTyped, type DestinationTyped } from './typed.js';
import { destinationWords } from './words.js';
import { page, type PageAnswer } from '../kit/answers.js';

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
