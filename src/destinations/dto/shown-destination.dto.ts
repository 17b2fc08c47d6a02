import { listOf, wrapped } from '../../platform/http/shapes.js';
import { beginningOf, type OutcomeName } from '../../deliveries/model/outcome.js';
import type { Form } from '../../forms/model/form.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { TestCall } from '../../webhooks/webhooks.service.js';
import type { Trial } from '../destinations.service.js';
import type { OpenedDestination } from '../destination-opener.js';
import type { KindName } from '../kinds/kinds.js';
import type { Matching } from '../model/condition.js';
import { shownSettings } from '../model/kind-settings.js';
import { ConditionDto } from './destination.dto.js';

/** A place where submissions go. */
export class DestinationDto {
  /**
   * A UUID; `notify_owner_emails` and `webhook_url` for what these settings of the form name, which are changed there.
   */
  id: string;
  /** The one who set it: the `settings` of the form, the `form` itself, a `client` that sees it or the `account`. */
  of: 'settings' | 'form' | 'client' | 'account';
  name: string;
  kind: KindName;
  /** Whether the form leaves out what its client or its account set for all forms. */
  excluded: boolean;
  /** Settings of its kind. Of a secret address only the host is shown, of another secret nothing (`…`). */
  settings: Record<string, string>;
  match: Matching;
  conditions: ConditionDto[];
  /** Place in its list, from 1. */
  position: number;
  paused: boolean;
  /** Since when, ISO 8601 in UTC; null while it is not paused. */
  paused_at: string | null;
  /** Whether it was paused because every call failed for five days. */
  given_up: boolean;
  /** Since when every call has failed, ISO 8601 in UTC; null after a success. */
  failing_since: string | null;
  /** False: the key that sealed its secrets is not there, so they are to be set anew. */
  readable: boolean;
  created_at: string;

  static of(
    { destination, settings, isReadable }: OpenedDestination,
    excluded = false,
  ): DestinationDto {
    const { id, name, kind, match, conditions, position, isPaused, isGivenUp } = destination;
    const { pausedAt, failingSince, createdAt } = destination;
    const { formId, clientId } = destination;
    return {
      id: formatUuid(id),
      of: formId !== null ? 'form' : clientId !== null ? 'client' : 'account',
      ...{ name, kind, excluded, settings: shownSettings(kind, settings), match },
      conditions: conditions.map((condition) => ConditionDto.of(condition)),
      ...{ position, paused: isPaused, paused_at: pausedAt?.toISOString() ?? null },
      given_up: isGivenUp,
      failing_since: failingSince?.toISOString() ?? null,
      readable: isReadable,
      created_at: createdAt.toISOString(),
    };
  }
}

/** Returns what the settings of a form name, as destinations. */
function ofSettings(form: Form): DestinationDto[] {
  const common: Omit<DestinationDto, 'id' | 'name' | 'kind' | 'settings' | 'position' | 'paused'> =
    {
      ...{ of: 'settings', excluded: false, match: 'all', conditions: [], given_up: false },
      ...{
        readable: true,
        paused_at: null,
        failing_since: null,
        created_at: form.createdAt.toISOString(),
      },
    };
  const { webhookUrl: url, notifyOwnerEmails: to, notifyOwnerOnSubmission: isOn } = form;
  const mails: DestinationDto = {
    ...{ ...common, id: 'notify_owner_emails', name: 'Owner emails', kind: 'email', position: 1 },
    ...{ settings: to === null ? {} : { to }, paused: !isOn },
  };
  if (url === null) return [mails];
  const calls = { id: 'webhook_url', name: 'Webhook', kind: 'webhook', position: 2 } as const;
  return [mails, { ...common, ...calls, settings: { url }, paused: false }];
}

export class DestinationResponseDto extends wrapped('destination', DestinationDto) {
  /** Shows a signing secret that we made, this once. */
  static ofNew(
    made: OpenedDestination,
    given: Readonly<Record<string, string | null>> = {},
  ): DestinationResponseDto {
    const destination = DestinationDto.of(made);
    const { secret } = made.settings;
    if (made.destination.kind !== 'webhook' || given.secret || secret === undefined) {
      return { destination };
    }
    destination.settings = { ...destination.settings, secret };
    return { destination };
  }
}

export class DestinationListDto extends listOf('destinations', DestinationDto) {
  /**
   * Lists those of a form, whose settings name the first two.
   * @param excluded ids of what it leaves out, in hex
   */
  static ofForm(
    form: Form,
    opened: OpenedDestination[],
    excluded: ReadonlySet<string>,
  ): DestinationListDto {
    const shown = opened.map((each) =>
      DestinationDto.of(each, excluded.has(each.destination.id.toString('hex'))),
    );
    return { destinations: [...ofSettings(form), ...shown] };
  }
}

/** How conditions did with the last submissions of a form. */
export class TrialDto {
  /** How many there were, at most 20. */
  tried: number;
  /** How many of them would have gone there. */
  would_have_gone: number;
  /** Their ids, newest first. */
  submissions: string[];

  static of({ tried, taken }: Trial): TrialDto {
    return { tried, would_have_gone: taken.length, submissions: taken.map((id) => formatUuid(id)) };
  }
}

/** How a test ended. */
export class DestinationTestDto {
  /** `deferred`: it would be attempted again. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status, or the code of the mail server; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes; null when it was empty. */
  answer: string | null;
  duration_ms: number;

  static of({ result: ended, durationMs }: TestCall): DestinationTestDto {
    const { verdict: result, outcome, code, answer } = ended;
    return {
      ...{ result, outcome, code, duration_ms: durationMs },
      answer: answer && beginningOf(answer),
    };
  }
}
