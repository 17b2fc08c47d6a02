import { IsIn } from 'class-validator';
import { Optional } from '../../../platform/kernel/validation.js';
import { STEPS, type Span, type Step } from '../../span.js';
import type { Bucket, Statistics } from '../statistics.service.js';
import type { Sums } from '../sums.js';
import { DaysQueryDto } from '../../days-query.dto.js';

/** Asks for a span of time, and for its parts. */
export class StatisticsQueryDto extends DaysQueryDto {
  /** Length of each bucket: `hour`, `day` (the default), `week`, which begins on Monday, or `month`. */
  @IsIn(STEPS, { message: `must be one of ${STEPS.join(', ')}` })
  @Optional()
  by?: Step;

  /** Returns the span that is asked for. */
  static span(query: StatisticsQueryDto, now: Date): Span {
    return { ...DaysQueryDto.days(query, now), by: query.by ?? 'day' };
  }
}

/** Outcomes of emails or webhook calls, without pending ones. */
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
  /** Submissions among them that were imported from other services. */
  imported: number;
  /** Mails to owners and visitors about what was received in this time. */
  mails: OutcomesDto;
  /** Calls of webhooks about it. */
  calls: OutcomesDto;

  static of(sums: Sums): SumsDto {
    return shown(sums);
  }
}

/** Sums received from `start` until before `end`. */
export class BucketDto extends SumsDto {
  start: string;
  end: string;

  static override of({ start, end, ...sums }: Bucket): BucketDto {
    return { start: start.toISOString(), end: end.toISOString(), ...shown(sums) };
  }
}

/** Sums received within a span. */
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
    imported: sums.imported,
    mails: { delivered: sums.mailsDelivered, late: sums.mailsLate, failed: sums.mailsFailed },
    calls: { delivered: sums.callsDelivered, late: sums.callsLate, failed: sums.callsFailed },
  };
}
