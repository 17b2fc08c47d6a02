import { asked, wrapped } from '../../platform/http/shapes.js';
import { IsIn, ValidateIf, IsUUID } from 'class-validator';
import type { Principal } from '../../access/principal.js';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';
import { beginningOf, type OutcomeName } from '../../deliveries/model/outcome.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FORMAT_NAMES, type FormatName } from '../formats/formats.js';
import { SIGNATURE_NAMES, type SignatureName } from '../signatures/signatures.js';
import {
  type TestCall,
  type WebhookOverview,
  CALL_STATES,
  type CallsFound,
  type CallState,
} from '../webhooks.service.js';
import type { Attempt, DeliveryState } from '../../deliveries/model/delivery.entity.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';

/** How a call ended. */
export class WebhookCallDto {
  /** `deferred`: it would be attempted again. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes; null when it was empty. */
  answer: string | null;
  duration_ms: number;

  static of({ result: ended, durationMs }: TestCall): WebhookCallDto {
    const { verdict: result, outcome, code, answer } = ended;
    return {
      ...{ result, outcome, code },
      answer: answer && beginningOf(answer),
      duration_ms: durationMs,
    };
  }
}

/** One of the last deliveries to the webhook. */
class RecentCallDto {
  delivery_id: string;
  /** `failed`: it is not attempted again by itself. */
  state: 'delivered' | 'failed';
  /** When it was last attempted, ISO 8601 in UTC. */
  at: string | null;
  outcome: OutcomeName | null;
  code: number | null;
}

/** The webhook of a form. */
class WebhookDto {
  /** Where calls go; null when none is set. */
  url: string | null;
  /** `unset`: there is no URL. */
  state: 'enabled' | 'disabled' | 'unset';
  /** Which body calls have: ours, or that of another provider. */
  format: FormatName;
  /** How calls are signed; the foreign ones take the secret as the text it is. */
  signature: SignatureName;
  /** The key that signs calls; null without the right `webhooks:secret`. */
  secret: string | null;
  /** Until when the previous secret signs too, ISO 8601 in UTC; null when it does not. */
  previous_secret_until: string | null;
  /** Since when every call has failed, ISO 8601 in UTC; null after a success. */
  failing_since: string | null;
  /** When it was disabled, ISO 8601 in UTC; null while it is enabled. */
  disabled_at: string | null;
  /** The last deliveries, newest first. */
  recent: RecentCallDto[];

  static of(
    { form, webhook, previousValidUntil, recent }: WebhookOverview,
    reader: Principal,
  ): WebhookDto {
    const state = webhook.isDisabled ? 'disabled' : 'enabled';
    return {
      url: form.webhookUrl,
      state: form.webhookUrl === null ? 'unset' : state,
      format: webhook.format,
      signature: webhook.signature,
      secret: reader.has('webhooks:secret') ? webhook.secret : null,
      previous_secret_until: previousValidUntil?.toISOString() ?? null,
      failing_since: webhook.failingSince?.toISOString() ?? null,
      disabled_at: webhook.disabledAt?.toISOString() ?? null,
      recent: recent.map(({ delivery, attempts }) => {
        const last = attempts.at(-1);
        return {
          delivery_id: formatUuid(delivery.id),
          state: delivery.state === 'delivered' ? 'delivered' : 'failed',
          at: last?.at.toISOString() ?? null,
          outcome: last?.outcome ?? null,
          code: last?.code ?? null,
        };
      }),
    };
  }
}

export class WebhookResponseDto extends wrapped('webhook', WebhookDto) {}

/** Changes to a webhook. */
export class WebhookChangesDto {
  /** Whether it is called; required when nothing else is changed. */
  @Flag()
  @Required()
  @ValidateIf(
    ({ enabled, format, signature }: WebhookChangesDto) =>
      [format, signature].every((other) => other === undefined) || enabled !== undefined,
  )
  enabled?: boolean;

  /** With `enabled`: whether deliveries that failed meanwhile are attempted again. */
  @Flag()
  @Optional()
  resend?: boolean;

  /** Which body calls have from now on, also those that wait. */
  @IsIn(FORMAT_NAMES, { message: `must be one of ${FORMAT_NAMES.join(', ')}` })
  @Optional()
  format?: FormatName;

  /** How calls are signed from now on. */
  @IsIn(SIGNATURE_NAMES, { message: `must be one of ${SIGNATURE_NAMES.join(', ')}` })
  @Optional()
  signature?: SignatureName;
}

export class ChangeWebhookDto extends asked('webhook', WebhookChangesDto) {}

const STATES = Object.keys(CALL_STATES);

/** Selects calls of a webhook. */
export class WebhookCallsQueryDto {
  /** Only calls that wait or are under way (`pending`), were taken (`delivered`) or were given up (`failed`). */
  @IsIn(STATES, { message: `must be one of ${STATES.join(', ')}` })
  @Optional()
  state?: CallState;

  /** Only calls that were planned before this one, by its id; `next_page` carries it. */
  @IsUUID('all', { message: 'must be the id of a delivery' })
  @Optional()
  before?: string;
}

/** The last try of a call. */
class LastTryDto {
  /** When it began, ISO 8601 in UTC. */
  at: string;
  duration_ms: number;
  /** `manual` when a person asked for it. */
  trigger: 'scheduled' | 'manual';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes. */
  answer: string | null;

  static of({ at, durationMs, trigger, outcome, code, answer }: Attempt): LastTryDto {
    return { at: at.toISOString(), duration_ms: durationMs, trigger, outcome, code, answer };
  }
}

/** One call for a submission. */
class ListedCallDto {
  delivery_id: string;
  /** Null when it is about no submission. */
  submission_id: string | null;
  url: string;
  /** `failed`: it is not attempted again by itself. `obsolete`: nobody misses it any more. */
  state: DeliveryState;
  /** When it was planned, ISO 8601 in UTC. */
  created_at: string;
  /** How often it was tried. */
  tries: number;
  /** Null before the first try. */
  last_try: LastTryDto | null;
  /** When it is tried next, ISO 8601 in UTC; null when it is not. */
  next_attempt_at: string | null;

  static of({ delivery, attempts }: DeliveryWithAttempts): ListedCallDto {
    const { id, submissionId, recipient, state, createdAt, nextTryAt } = delivery;
    const last = attempts.at(-1);
    return {
      delivery_id: formatUuid(id),
      submission_id: submissionId && formatUuid(submissionId),
      url: recipient,
      state,
      created_at: createdAt.toISOString(),
      tries: attempts.length,
      last_try: last ? LastTryDto.of(last) : null,
      next_attempt_at: nextTryAt?.toISOString() ?? null,
    };
  }
}

/** Calls of a form, newest first. */
export class WebhookCallsDto {
  calls: ListedCallDto[];
  /** Address of older ones; null when there are none. */
  next_page: string | null;

  static of(
    { form, calls, hasMore }: CallsFound,
    baseUrl: string,
    { state }: WebhookCallsQueryDto,
  ): WebhookCallsDto {
    const listed = calls.map((call) => ListedCallDto.of(call));
    const query = new URLSearchParams({
      ...(state && { state }),
      before: listed.at(-1)?.delivery_id ?? '',
    });
    const path = `${baseUrl}/api/v1/forms/${form.identifier}/webhook/calls`;
    return { calls: listed, next_page: hasMore ? `${path}?${query.toString()}` : null };
  }
}
