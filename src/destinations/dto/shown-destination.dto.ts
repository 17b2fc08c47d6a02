import { listOf, wrapped } from '../../platform/http/index.js';
import { type AttemptResult, beginningOf, type OutcomeName } from '../../deliveries/model/outcome.js';
import { formatUuid } from '../../platform/index.js';
import {
  type CallState,
  toldState,
  type DeliveryWithAttempts,
  type ToldState,
} from '../../deliveries/model/delivery-filter.js';
import type { Attempt } from '../../deliveries/model/delivery.entity.js';
import type { SentFound } from '../destinations.service.js';
import type { DestinationPreview, TestCall, Trial } from '../destination-trials.js';
import { type Role, shownSettings } from '../model/kind-settings.js';
import type { OpenedDestination } from '../destination-opener.js';
import type { KindName } from '../kinds/kinds.js';
import type { Matching } from '../model/condition.js';
import { ConditionDto } from './destination.dto.js';

/** A place where submissions go. */
export class DestinationDto {
  id: string;
  /** The one who set it: the `form`, a `client` that sees it or the `account`. */
  of: 'form' | 'client' | 'account';
  /**
   * Which of those it is that every form has, null for others: the email to its `team` (`notify_owner_…` of the form), to the
   * `visitor` (`notify_submitter_…`), or its `webhook` (`webhook_url`).
   */
  role: Role | null;
  name: string;
  kind: KindName;
  /** Whether the form leaves out what its client or its account set for all forms. */
  excluded: boolean;
  /** Settings of its kind. Of a secret address only the host is shown, of another secret nothing (`…`). */
  settings: Record<string, string>;
  match: Matching;
  conditions: ConditionDto[];
  /** Place in its list, from 1; 0 for those that every form has, which come first. */
  position: number;
  paused: boolean;
  /** Since when, ISO 8601 in UTC; null while it is not paused, and where a field of the form turns it off. */
  paused_at: string | null;
  /** Whether it was paused because every call failed for five days. */
  given_up: boolean;
  /** Since when every call has failed, ISO 8601 in UTC; null after a success. */
  failing_since: string | null;
  /** False: the key that sealed its secrets is not there, so they are to be set anew. */
  readable: boolean;
  created_at: string;

  static of({ destination, settings, isReadable }: OpenedDestination, excluded = false): DestinationDto {
    const { id, name, kind, match, conditions, position, isPaused, isGivenUp } = destination;
    const { pausedAt, failingSince, createdAt } = destination;
    const { formId, clientId, role } = destination;
    return {
      id: formatUuid(id),
      of: formId !== null ? 'form' : clientId !== null ? 'client' : 'account',
      role,
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

export class DestinationResponseDto extends wrapped('destination', DestinationDto) {
  /** Shows a signing secret that we made, this once. */
  static ofNew(made: OpenedDestination, given: Readonly<Record<string, string | null>> = {}): DestinationResponseDto {
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
  /** @param isExcluded tells whether a form leaves the destination with an id out */
  static override of(
    opened: OpenedDestination[],
    isExcluded: (id: Buffer) => boolean = () => false,
  ): DestinationListDto {
    const of = (each: OpenedDestination) => DestinationDto.of(each, isExcluded(each.destination.id));
    return { destinations: opened.map(of) };
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
    return { ...{ result, outcome, code, duration_ms: durationMs }, answer: answer && beginningOf(answer) };
  }
}

/** The last try of a delivery. */
class LastTryDto {
  /** When it began, ISO 8601 in UTC. */
  at: string;
  duration_ms: number;
  /** `manual` when a person asked for it. */
  trigger: 'scheduled' | 'manual';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status, or the code of the mail server; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes; null when it was empty. */
  answer: string | null;

  static of({ at, durationMs, trigger, outcome, code, answer }: Attempt): LastTryDto {
    return { at: at.toISOString(), duration_ms: durationMs, trigger, outcome, code, answer };
  }
}

/** A delivery to a destination. */
export class SentDto {
  delivery_id: string;
  submission_id: string | null;
  /** The host that is called, or the address that a mail goes to. */
  recipient: string;
  /** As the deliveries of a submission have it. */
  state: ToldState;
  /** When it was planned, ISO 8601 in UTC. */
  created_at: string;
  /** How often it was tried. */
  tries: number;
  /** Null before the first try. */
  last_try: LastTryDto | null;
  /** When it is tried next, ISO 8601 in UTC; null when it is not. */
  next_attempt_at: string | null;

  static of(sent: DeliveryWithAttempts): SentDto {
    const { delivery, attempts } = sent;
    const { id, submissionId, recipient, createdAt, nextTryAt } = delivery;
    const last = attempts.at(-1);
    return {
      delivery_id: formatUuid(id),
      submission_id: submissionId && formatUuid(submissionId),
      ...{ recipient, state: toldState(sent), created_at: createdAt.toISOString() },
      tries: attempts.length,
      last_try: last ? LastTryDto.of(last) : null,
      next_attempt_at: nextTryAt?.toISOString() ?? null,
    };
  }
}

/** Deliveries of a destination, newest first. */
export class SentListDto {
  deliveries: SentDto[];
  /** Address of older ones; null when there are none. */
  next_page: string | null;

  /** @param here the address of the list, without a query */
  static of({ sent, hasMore }: SentFound, here: string, state?: CallState): SentListDto {
    const deliveries = sent.map((each) => SentDto.of(each));
    return { deliveries, next_page: hasMore ? olderThan(deliveries, here, state) : null };
  }
}

/** Returns the address of the deliveries before these. */
export function olderThan(shown: readonly SentDto[], here: string, state?: CallState) {
  const before = shown.at(-1)?.delivery_id ?? '';
  const query = new URLSearchParams({ ...(state && { state }), before });
  return `${here}?${query.toString()}`;
}

/** Failed deliveries that are tried again. */
export class RetriedDto {
  /** How many. */
  retried: number;
}

/** A name and an address that an email of a destination has. */
class PreviewedMailboxDto {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** An email of a destination as it would be sent now. */
export class DestinationPreviewDto {
  /** False where nobody would get it. */
  enabled: boolean;
  /** Everybody who gets it: `to`, `cc` and `bcc`. */
  recipients: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  from: PreviewedMailboxDto;
  /** Where answers go; null when to the sender. */
  reply_to: PreviewedMailboxDto | null;
  subject: string;
  html: string;
  text: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of(preview: DestinationPreview): DestinationPreviewDto {
    const { isOn, recipients, to, cc, bcc, message, submissionId } = preview;
    const { from, replyTo, subject, html, text } = message;
    return {
      ...{ enabled: isOn, recipients, to, cc, bcc },
      from: { name: from.name, address: from.address },
      reply_to: replyTo && { name: replyTo.name, address: replyTo.address },
      ...{ subject, html, text },
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}

/** How sending a test ended. */
export class TestMailDto {
  /** Where it went. */
  to: string;
  /** `deferred`: it may work later. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so; `written`: to a file, since the service has no mail server. */
  outcome: OutcomeName;
  /** SMTP reply code; null when there was none. */
  code: number | null;
  /** Answer of the mail server, up to 1,024 bytes; null when it gave none. */
  answer: string | null;

  static of(to: string, { verdict: result, outcome, code, answer }: AttemptResult): TestMailDto {
    return { to, result, outcome, code, answer: answer && beginningOf(answer) };
  }
}
