import { IsIn } from 'class-validator';
import { addDays, dayAt, parseDay } from '../../../platform/kernel/days.js';
import { parseTimeZone } from '../../../platform/kernel/time-zone.js';
import { Optional, Parsed } from '../../../platform/kernel/validation.js';
import { STEPS, type Days, type Span, type Step } from '../span.js';
import type { Bucket, Statistics } from '../statistics.service.js';
import type { Sums } from '../submission-count.entity.js';

/** Days of a span that is not said, today with it. */
const DAYS_BY_DEFAULT = 30;
const DAY_MESSAGE = 'must be a day such as 2030-01-31';

/** Asks for a span of days. */
export class DaysQueryDto {
  /** First day, such as `2030-01-31`; by default 30 days before `to`. */
  @Parsed('wrong_date', parseDay, DAY_MESSAGE)
  @Optional()
  from?: string;

  /** The day after the last; by default tomorrow. */
  @Parsed('wrong_date', parseDay, DAY_MESSAGE)
  @Optional()
  to?: string;

  /** The time zone whose days are meant, by its IANA name, such as `Europe/Berlin`; `UTC` by default. */
  @Parsed('wrong_time_zone', parseTimeZone, 'must be a time zone such as Europe/Berlin')
  @Optional()
  zone?: string;

  /** Returns the days that are asked for. */
  static days({ from, to, zone = 'UTC' }: DaysQueryDto, now: Date): Days {
    const end = to ?? addDays(dayAt(now, zone), 1);
    return { from: from ?? addDays(end, -DAYS_BY_DEFAULT), to: end, zone };
  }
}

/** Asks for a span of time, and for its parts. */
export class StatisticsQueryDto extends DaysQueryDto {
  /** What each bucket is: `hour`, `day` (the default), `week`, which begins on Monday, or `month`. */
  @IsIn(STEPS, { message: `must be one of ${STEPS.join(', ')}` })
  @Optional()
  by?: Step;

  /** Returns the span that is asked for. */
  static span(query: StatisticsQueryDto, now: Date): Span {
    return { ...DaysQueryDto.days(query, now), by: query.by ?? 'day' };
  }
}

/** What became of mails or calls; those that wait for a try are not among them. */
export class OutcomesDto {
  /** At the first try. */
  delivered: number;
  /** After a try that failed. */
  late: number;
  /** Given up. */
  failed: number;
}

/** How many submissions that are not spam, how much spam, and what became of the mails and calls for them. */
export class SumsDto {
  submissions: number;
  spam: number;
  /** Mails to owners and visitors about what was received in this time. */
  mails: OutcomesDto;
  /** Calls of webhooks about it. */
  calls: OutcomesDto;

  static of(sums: Sums): SumsDto {
    return shown(sums);
  }
}

/** What was received from `start` until before `end`. */
export class BucketDto extends SumsDto {
  start: string;
  end: string;

  static override of({ start, end, ...sums }: Bucket): BucketDto {
    return { start: start.toISOString(), end: end.toISOString(), ...shown(sums) };
  }
}

/** What was received within a span. */
export class StatisticsDto {
  /** First day. */
  from: string;
  /** The day after the last. */
  to: string;
  by: Step;
  zone: string;
  /** In the order of time, those without anything too; the first and the last may be parts of a week or a month. */
  buckets: BucketDto[];
  totals: SumsDto;
  /** As many days that end where this span begins. */
  before: BucketDto;

  static of({ from, to, by, zone }: Span, { buckets, totals, before }: Statistics): StatisticsDto {
    return {
      ...{ from, to, by, zone },
      buckets: buckets.map((bucket) => BucketDto.of(bucket)),
      totals: SumsDto.of(totals),
      before: BucketDto.of(before),
    };
  }
}

function shown(sums: Sums) {
  return {
    submissions: sums.submissions,
    spam: sums.spam,
    mails: { delivered: sums.mailsDelivered, late: sums.mailsLate, failed: sums.mailsFailed },
    calls: { delivered: sums.callsDelivered, late: sums.callsLate, failed: sums.callsFailed },
  };
}
