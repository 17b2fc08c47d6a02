import { IsIn, IsUUID } from 'class-validator';
import type { Attempt } from '../../deliveries/model/attempt.entity.js';
import type { OutcomeName } from '../../deliveries/model/attempt-result.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-with-attempts.js';
import type { DeliveryState } from '../../deliveries/model/delivery.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Optional } from '../../platform/kernel/validation.js';
import { CALL_STATES, type CallsFound, type CallState } from '../webhooks.service.js';

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
export class LastTryDto {
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
export class ListedCallDto {
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
