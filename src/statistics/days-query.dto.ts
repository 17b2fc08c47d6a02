import { addDays, dayAt, parseDay } from '../platform/kernel/time.js';
import { Optional, Parsed, Zone } from '../platform/kernel/validation.js';
import type { Days } from './span.js';

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
export class DaysDto {
  /** First day. */
  from: string;
  /** The day after the last. */
  to: string;
  zone: string;
}
