import { IsIn } from 'class-validator';
import { Optional, Parsed, Zone, addDays, dayAt, parseDay } from '../platform/index.js';
import { STEPS, type Span, type Step, type Days } from './span.js';
import type { Bucket, Statistics } from './statistics.service.js';
import type { Sums } from './sums.js';
import type { FieldTop, Top } from './facets.service.js';
import { completionOf, type Visited, type Visits } from './visits.service.js';
import { SPAM_LEVELS, type SpamLevel } from '../spam/judge/spam-settings.js';
import type { SignalCount } from '../submissions/verdicts/verdicts.repository.js';
import type { SpamStatistics } from './spam-statistics.service.js';

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
  @Zone()
  @Optional()
  zone?: string;

  /** Returns the days that are asked for. */
  static days({ from, to, zone = 'UTC' }: DaysQueryDto, now: Date): Days {
    const end = to ?? addDays(dayAt(now, zone), 1);
    return { from: from ?? addDays(end, -DAYS_BY_DEFAULT), to: end, zone };
  }
}

/** The days that counts are of. */
class DaysDto {
  /** First day. */
  from: string;
  /** The day after the last. */
  to: string;
  zone: string;
}

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

/** A value with its number of submissions. */
export class TopValueDto {
  /** A page as its path, an origin, a country by its two letters, or a value; null when the browser did not say. */
  value: string | null;
  /** Those that are not spam. */
  submissions: number;
  /** The line of a filter that finds them in lists and exports; null when no line can say it. */
  q: string | null;
}

/** Values with the most submissions. */
export class TopDto {
  /** Those with most first. */
  values: TopValueDto[];
  /** How many submissions had something else, or what is not named. */
  other: number;

  static of({ values, other }: Top): TopDto {
    return {
      values: values.map(({ value, submissions, line }) => ({
        value: value === '' ? null : value,
        submissions,
        q: line,
      })),
      other,
    };
  }
}

/** From where submissions came. */
export class PageStatisticsDto extends DaysDto {
  /** Paths of pages without query, the ten with most submissions. */
  pages: TopDto;
  /** Origins of pages, such as `https://example.com`, the ten with most submissions. */
  origins: TopDto;

  static of({ from, to, zone }: Days, found: { pages: Top; origins: Top }): PageStatisticsDto {
    const [pages, origins] = [TopDto.of(found.pages), TopDto.of(found.origins)];
    return { from, to, zone, pages, origins };
  }
}

/** From which countries submissions came. */
export class CountryStatisticsDto extends DaysDto {
  /** The ten with most submissions; empty unless `COUNTRY_HEADER` is set. */
  countries: TopDto;

  static of({ from, to, zone }: Days, countries: Top): CountryStatisticsDto {
    return { from, to, zone, countries: TopDto.of(countries) };
  }
}

/** The values of a field. */
export class FieldStatisticsDto extends TopDto {
  /** Its name. */
  field: string;

  static override of(found: FieldTop): FieldStatisticsDto {
    const { values, other } = TopDto.of(found);
    return { field: found.field, values, other };
  }
}

/** The values of fields that have few. */
export class ValueStatisticsDto extends DaysDto {
  /** In the order of their names. */
  fields: FieldStatisticsDto[];

  static of({ from, to, zone }: Days, fields: readonly FieldTop[]): ValueStatisticsDto {
    const shown = fields.map((each) => FieldStatisticsDto.of(each));
    return { from, to, zone, fields: shown };
  }
}

/** Visits, and what came of them. */
export class VisitedDto {
  /** Path of the page, or the campaign; null for all others together. */
  value: string | null;
  /** Visits, as the script of the page told when they ended. */
  views: number;
  /** How many visitors began to fill in the form. */
  starts: number;
  /** Submissions from there that are not spam, with the script or without. */
  submissions: number;
  /** Submissions for each visit, from 0 to 1; null when there were more submissions than visits. */
  completion: number | null;

  static of(visited: Visited): VisitedDto {
    const { value, views, starts, submissions } = visited;
    return { value, views, starts, submissions, completion: completionOf(visited) };
  }
}

/** Visits to the pages of a form. */
export class VisitStatisticsDto extends DaysDto {
  /** Sum of all pages. */
  total: VisitedDto;
  /** The ten pages with most visits, and the others together; none where no visits were counted. */
  pages: VisitedDto[];
  /** The same for `utm_campaign` of the page's address, else `utm_source`. */
  campaigns: VisitedDto[];

  static of({ from, to, zone }: Days, { total, pages, campaigns }: Visits): VisitStatisticsDto {
    const shown = (some: readonly Visited[]) => some.map((each) => VisitedDto.of(each));
    return { from, to, zone, total: VisitedDto.of(total), pages: shown(pages), campaigns: shown(campaigns) };
  }
}

/** Totals of held and spam submissions; each counts once. */
export class SpamTotalsDto {
  held: number;
  spam: number;
  /** How many of both somebody said to be no spam. */
  reversed: number;
  /** How many that were clean somebody marked as spam. */
  missed: number;
}

/** Submissions that a signal caught; a submission counts for each signal that found something in it. */
export class SignalCountDto {
  name: string;
  /** Submissions in which it found something, clean ones too. */
  found: number;
  held: number;
  spam: number;
  /** How many of those held or spam somebody said to be no spam. */
  reversed: number;

  static of({ name, found, held, spam, reversed }: SignalCount): SignalCountDto {
    return { name, found, held, spam, reversed };
  }
}

/** Counts that a level would have given for the same submissions, by the points of then. */
export class LevelCountDto {
  /** From this score on a submission is held, and from this one on it is spam. */
  held_at: number;
  spam_at: number;
  /** How many it would have held. */
  held: number;
  /** How many it would have called spam. */
  spam: number;
}

/** Counts for each level; set one by `level` of the spam settings. */
export class LevelCountsDto {
  relaxed: LevelCountDto;
  normal: LevelCountDto;
  strict: LevelCountDto;
}

/** Submissions caught by the signals of a form within a span, of those still stored. */
export class SpamStatisticsDto extends DaysDto {
  signals: SignalCountDto[];
  totals: SpamTotalsDto;
  levels: LevelCountsDto;
  /** Null when all was looked at; else the newest 5,000 in which something was found were, back to this time. */
  looked_to: string | null;

  static of({ from, to, zone }: Days, { signals, totals, levels, lookedTo }: SpamStatistics): SpamStatisticsDto {
    const { held, spam, reversed, missed } = totals;
    return {
      ...{ from, to, zone },
      signals: signals.map((each) => SignalCountDto.of(each)),
      totals: { held, spam, reversed, missed },
      levels: {
        relaxed: levelOf('relaxed', levels),
        normal: levelOf('normal', levels),
        strict: levelOf('strict', levels),
      },
      looked_to: lookedTo?.toISOString() ?? null,
    };
  }
}

function levelOf(level: SpamLevel, levels: SpamStatistics['levels']): LevelCountDto {
  const { heldAt, spamAt } = SPAM_LEVELS[level];
  const { held, spam } = levels[level];
  return { held_at: heldAt, spam_at: spamAt, held, spam };
}
