import { IsIn } from 'class-validator';
import { parseMoment } from '../../../platform/kernel/time/moment.js';
import { Optional, Parsed } from '../../../platform/kernel/validation.js';
import {
  ABOUT_SUBMISSIONS,
  type DeliveryFilter,
  type FailedCount,
} from '../../../deliveries/model/delivery-filter.js';
import type { DeliveryKind } from '../../../deliveries/model/delivery.entity.js';

const Moment = () =>
  Parsed('wrong_date', parseMoment, 'must be a date or time such as 2030-01-31T12:00:00Z');

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
    return {
      count,
      oldest_at: oldestAt?.toISOString() ?? null,
      newest_at: newestAt?.toISOString() ?? null,
    };
  }
}
