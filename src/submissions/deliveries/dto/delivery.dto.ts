import { listOf } from '../../../platform/http/wrapped.js';
import type { Attempt } from '../../../deliveries/model/attempt.entity.js';
import type { OutcomeName } from '../../../deliveries/model/attempt-result.js';
import type { DeliveryKind } from '../../../deliveries/model/delivery.entity.js';
import {
  toldState,
  type DeliveryWithAttempts,
  type ToldState,
} from '../../../deliveries/model/delivery-with-attempts.js';
import { formatUuid } from '../../../platform/kernel/uuid.js';

/** One attempt of a delivery. */
export class AttemptDto {
  /** When it began, ISO 8601 in UTC. */
  at: string;
  duration_ms: number;
  /** `manual` when a person asked for it. */
  trigger: 'scheduled' | 'manual';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** SMTP reply code or HTTP status; null when the receiver did not send one. */
  code: number | null;
  /** The beginning of the receiver's answer, up to 1,024 bytes. */
  answer: string | null;

  static of({ at, durationMs, trigger, outcome, code, answer }: Attempt): AttemptDto {
    return { at: at.toISOString(), duration_ms: durationMs, trigger, outcome, code, answer };
  }
}

/** One mail or webhook call for a submission. */
export class DeliveryDto {
  id: string;
  /** Kind of the delivery. */
  kind: DeliveryKind;
  /** An email address or a URL. */
  recipient: string;
  /** Name of the destination that it goes to; null for none, and for one that is deleted. */
  destination: string | null;
  /**
   * `failed`: it is not attempted again by itself. `obsolete`: nobody misses it any more. `summarised`: a digest tells of
   * it. `written`: it went to a file, and to nobody.
   */
  state: ToldState;
  /** When it is attempted next, ISO 8601 in UTC; null when it is not, or not before somebody releases it. */
  next_attempt_at: string | null;
  /** Every attempt so far, newest last. */
  attempts: AttemptDto[];

  static of(sent: DeliveryWithAttempts): DeliveryDto {
    const { delivery, attempts, destinationName = null } = sent;
    return {
      id: formatUuid(delivery.id),
      kind: delivery.kind,
      recipient: delivery.recipient,
      destination: destinationName,
      state: toldState(sent),
      next_attempt_at: delivery.nextTryAt?.toISOString() ?? null,
      attempts: attempts.map((attempt) => AttemptDto.of(attempt)),
    };
  }
}

export class DeliveryListDto extends listOf('deliveries', DeliveryDto) {}
