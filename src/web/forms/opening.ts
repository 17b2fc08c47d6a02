import type { Opening } from '../../forms/model/intake-gate.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';

/** The opening of a form as its inputs show it, by the paths of the API. */
export interface OpeningTyped {
  paused: boolean;
  message: string;
  closesAt: string;
  maxSubmissions: string;
}

export function openingShown({ paused, message, closesAt, maxSubmissions }: Opening): OpeningTyped {
  return {
    paused,
    message: message ?? '',
    closesAt: closesAt?.toISOString().replace(/:\d\d\.000Z$/, 'Z') ?? '',
    maxSubmissions: maxSubmissions === null ? '' : String(maxSubmissions),
  };
}

/** Reads what the page sent. */
export function openingTyped(typed: Typed | undefined): OpeningTyped {
  return {
    paused: isTicked(typed, 'intake.paused'),
    message: textOf(typed, 'intake.message').trim(),
    closesAt: textOf(typed, 'intake.closes_at').trim(),
    maxSubmissions: textOf(typed, 'intake.max_submissions').trim(),
  };
}

/** Returns it as a body of the API. */
export function openingBody({ paused, message, closesAt, maxSubmissions }: OpeningTyped): object {
  return {
    intake: {
      paused,
      message: message === '' ? null : message,
      closes_at: closesAt === '' ? null : closesAt,
      max_submissions: maxSubmissions === '' ? null : Number(maxSubmissions),
    },
  };
}
