import type { Opening } from '../../forms/model/form-values.js';
import { minuteAt, minuteOf } from '../../platform/kernel/time.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';

/** The opening of a form as its inputs show it, by the paths of the API. */
export interface OpeningTyped {
  paused: boolean;
  message: string;
  closesAt: string;
  maxSubmissions: string;
  mergesRepeats: boolean;
}

/** @param timeZone of the person who reads it */
export function openingShown(
  { paused, message, closesAt, maxSubmissions, mergesRepeats }: Opening,
  timeZone: string,
): OpeningTyped {
  return {
    paused,
    message: message ?? '',
    closesAt: closesAt === null ? '' : minuteAt(closesAt, timeZone),
    maxSubmissions: maxSubmissions === null ? '' : String(maxSubmissions),
    mergesRepeats,
  };
}

/** Reads what the page sent. */
export function openingTyped(typed: Typed | undefined): OpeningTyped {
  return {
    paused: isTicked(typed, 'intake.paused'),
    message: textOf(typed, 'intake.message').trim(),
    closesAt: textOf(typed, 'intake.closes_at').trim(),
    maxSubmissions: textOf(typed, 'intake.max_submissions').trim(),
    mergesRepeats: isTicked(typed, 'intake.merge_repeats'),
  };
}

/**
 * Returns it as a body of the API. A time that was not changed stays to the millisecond.
 * @param now the opening that was shown
 */
export function openingBody(
  { paused, message, closesAt, maxSubmissions, mergesRepeats }: OpeningTyped,
  now: Opening,
  timeZone: string,
): object {
  const isSame = closesAt === openingShown(now, timeZone).closesAt;
  const closes = isSame ? now.closesAt : minuteOf(closesAt, timeZone);
  return {
    intake: {
      paused,
      message: message === '' ? null : message,
      closes_at: closesAt === '' ? null : (closes?.toISOString() ?? closesAt),
      max_submissions: maxSubmissions === '' ? null : Number(maxSubmissions),
      merge_repeats: mergesRepeats,
    },
  };
}
