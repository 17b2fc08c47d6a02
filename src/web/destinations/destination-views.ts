import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../access/principal.js';
import { DestinationLog } from '../../destinations/destination-log.service.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import type { Trial } from '../../destinations/destination-trials.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import type { KindName } from '../../destinations/kinds/kinds.js';
import { placeOf } from '../../destinations/model/place.js';
import { shownSettings, splitSettings } from '../../destinations/model/kind-settings.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import type { TestCall } from '../../webhooks/webhook-test-calls.js';
import { callOf, testOf } from '../webhooks/shown.js';
import { FormHeads } from '../form-head/form-heads.js';
import { Frames } from '../layout/frames.js';
import { SECRET, sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { SentFields, valueFieldsOf } from '../rows/sent-fields.js';
import { CALL_FILTERS, callsAddress, withQuery } from '../webhooks/webhook-calls.js';
import { DestinationPage, type StoredShown } from './destination.page.js';
import { DestinationsPage, type DestinationRow } from './destinations.page.js';
import { conditionTyped, type DestinationTyped } from './typed.js';
import { destinationWords } from './words.js';

const { destinations: said } = destinationWords;

/** A request for a page of a form. */
export interface Asked {
  principal: Principal;
  form: Form;
  request: Request;
  response: Response;
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
    private readonly log: DestinationLog,
    private readonly sent: SentFields,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  async sendList({ principal, form, request, response }: Asked): Promise<void> {
    const opened = await this.destinations.listFor(principal, form);
    const page = DestinationsPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      rows: [...namedBySettings(form), ...opened.map((each) => rowOf(each, form))],
    });
    sendPage(response, page);
  }

  /** @param opened null for one that is not stored yet */
  async send(
    { principal, form, request, response }: Asked,
    kind: KindName,
    opened: OpenedDestination | null,
    { typed, problems = [], trial, test, query, madeSecret = null }: Besides,
  ): Promise<void> {
    const list = `/forms/${form.identifier}/destinations`;
    const here = opened ? `${list}/${formatUuid(opened.destination.id)}` : list;
    const shown = typed ?? (opened ? typedOf(opened) : EMPTY);
    const page = DestinationPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      ...{ kind, here, problems, madeSecret, typed: shown },
      stored: opened && (await this.storedOf(principal, form, opened, here, query, test)),
      fields: principal.may('see')
        ? valueFieldsOf(await this.sent.newest(principal, form.identifier))
        : [],
      trial: trial ? { tried: trial.tried, taken: trial.taken.length } : null,
      mayAdd: shown.conditions.length < CONDITIONS_MAX,
    });
    const status = problems.length > 0 ? UNPROCESSABLE : undefined;
    // What was typed can have a secret.
    const hasSecret = madeSecret !== null || typed !== undefined;
    sendPage(response, page, status, ...(hasSecret ? [SECRET] : []));
  }

  private async storedOf(
    principal: Principal,
    form: Form,
    opened: OpenedDestination,
    here: string,
    query: Typed | undefined,
    test: TestCall | undefined,
  ): Promise<StoredShown> {
    const { destination, settings, isReadable } = opened;
    const shown = CALL_FILTERS.find((state) => state === textOf(query, 'state')) ?? '';
    const before = parseUuid(textOf(query, 'before').toLowerCase());
    const state = shown === '' ? null : shown;
    const found = await this.log.list(placeOf(form), destination.id, state, before);
    const calls = found.sent.map((each) => callOf(each, principal.may('see')));
    const last = found.hasMore ? calls.at(-1) : undefined;
    const api = `${this.config.baseUrl}/api/v1${here}/deliveries`;
    const { pausedAt, isGivenUp, failingSince, kind } = destination;
    return {
      settings: shownSettings(kind, settings),
      ...{ pausedAt, isGivenUp, failingSince, isReadable },
      test: test ? testOf(test) : null,
      calls: {
        ...{ calls, shown, isOlder: before !== null, hasFailed: false },
        older: last ? callsAddress(here, shown, last.id) : null,
        apiUrl:
          principal.clientId === null
            ? withQuery(api, shown, before === null ? '' : formatUuid(before))
            : null,
        mayRetry: principal.may('triage') && pausedAt === null,
      },
    };
  }
}

const EMPTY: DestinationTyped = { name: '', settings: {}, match: 'all', conditions: [] };

/** Returns a stored destination as its inputs show it, without its secrets. */
function typedOf({ destination, settings }: OpenedDestination): DestinationTyped {
  const { name, kind, match, conditions } = destination;
  const { open } = splitSettings(kind, settings);
  return { name, settings: open, match, conditions: conditions.map(conditionTyped) };
}

function rowOf({ destination }: OpenedDestination, form: Form): DestinationRow {
  const { id, formId, clientId, name, kind, match, conditions, position } = destination;
  const isOwn = formId !== null;
  const href = `/forms/${form.identifier}/destinations/${formatUuid(id)}`;
  return {
    ...{ name, kind, match, conditions },
    href: isOwn ? href : null,
    of: isOwn ? 'form' : clientId === null ? 'account' : 'client',
    state: stateOf(destination),
    upAt: isOwn && position > 1 ? `${href}/up` : null,
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
  const common = { of: 'settings', match: 'all', conditions: [], upAt: null } as const;
  const mails: DestinationRow = {
    ...{ ...common, kind: 'email', name: said.ownerEmails, state: isOn ? 'on' : 'paused' },
    href: `/forms/${identifier}/notifications`,
  };
  if (webhookUrl === null) return [mails];
  const href = `/forms/${identifier}/webhook`;
  return [mails, { ...common, kind: 'webhook', name: said.ownerWebhook, state: 'on', href }];
}
