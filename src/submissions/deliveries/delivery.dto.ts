import { listOf } from '../../platform/http/index.js';
import type { Attempt, DeliveryKind } from '../../deliveries/model/delivery.entity.js';
import type { OutcomeName } from '../../deliveries/model/outcome.js';
import {
  toldState,
  type DeliveryWithAttempts,
  type ToldState,
  ABOUT_SUBMISSIONS,
  type DeliveryFilter,
  type FailedCount,
} from '../../deliveries/model/delivery-filter.js';
import { formatUuid, parseMoment, Optional, Parsed } from '../../platform/index.js';
import { IsIn } from 'class-validator';

/** One attempt of a delivery. */
class AttemptDto {
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

const Moment = () => Parsed('wrong_date', parseMoment, 'must be a date or time such as 2030-01-31T12:00:00Z');

/** Selects failed deliveries. */
export class FailedDeliveriesDto {
  /** Only of this kind; all kinds when left out. */
  @IsIn(ABOUT_SUBMISSIONS, { message: `must be one of ${ABOUT_SUBMISSIONS.join(', ')}` })
  @Optional()
  kind?: DeliveryKind;

  /** Only failed deliveries can be selected. */
  @IsIn(['failed'], { message: 'must be failed' })
  @Optional()
  state?: 'failed';

  /** Created at this time or later, ISO 8601. */
  @Moment()
  @Optional()
  from?: string;

  /** Created before this time, ISO 8601. */
  @Moment()
  @Optional()
  to?: string;

  static filter({ kind, from, to }: FailedDeliveriesDto): DeliveryFilter {
    return {
      kind: kind ?? null,
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    };
  }
}

export class RedeliveredDto {
  /** Deliveries that are attempted again. */
  redelivered: number;
}

export class DiscardedDto {
  /** Deliveries that were removed. */
  discarded: number;
}

/** Number of deliveries that a redelivery would retry. */
export class FailedCountDto {
  /** Counted up to 10,000. */
  count: number;
  /** When the first of them was planned, ISO 8601 in UTC; null when there is none. */
  oldest_at: string | null;
  /** When the last of them was planned. */
  newest_at: string | null;

  static of({ count, oldestAt, newestAt }: FailedCount): FailedCountDto {
    return { count, oldest_at: oldestAt?.toISOString() ?? null, newest_at: newestAt?.toISOString() ?? null };
  }
}
