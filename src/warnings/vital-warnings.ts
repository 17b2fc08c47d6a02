import type { CanaryFailure } from '../canary/canary.service.js';
import { isOfService } from '../canary/model/step.js';
import type { Form } from '../forms/model/form.entity.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import { CONNECT_MS } from '../watch/model/watch-state.js';
import { SIGN_CODES, type Sign } from '../watch/model/signs.js';
import { momentOf } from '../watch/rhythm/hours.js';
import type { Known, Warning } from './warning.js';

/** How long after it was made a form without submissions is warned of, in milliseconds: later, nobody waits for any. */
const UNCONNECTED_MS = 30 * DAY_MS;

/** Codes of what is unusual about a form, by how it is watched and by its canary. */
export const VITAL_CODES: ReadonlySet<string> = new Set([
  ...['form_silent', 'never_connected', 'page_broken', 'canary_failing'],
  ...SIGN_CODES,
]);

/** Returns what is unusual about a form, by how it is watched and by its canary. */
export function vitalWarnings(
  form: Form,
  { watches, canaries }: Pick<Known, 'watches' | 'canaries'>,
  now: Date,
): Warning[] {
  const watch = watches.get(form.id);
  const failure = canaries.get(form.id);
  return [
    ...(failure && !isOfService(failure.step) ? [failing(failure)] : []),
    ...(watch && watch.state !== 'off' ? watched(form, watch, now) : []),
  ];
}

function watched(form: Form, watch: FormWatch, now: Date): Warning[] {
  return [silence(watch), neverConnected(form, watch, now), ...watch.signs.map(signed)].filter(
    (warning) => warning !== null,
  );
}

/** Tells what a canary found at the page, or why the form refuses what it sends. */
function failing({ since, step, detail: message }: CanaryFailure): Warning {
  const isOfPage = step === 'page' || step === 'form';
  return { code: isOfPage ? 'page_broken' : 'canary_failing', message, since };
}

function silence({ state, lastAt, silentFrom }: FormWatch): Warning | null {
  if (state !== 'silent' || !lastAt || !silentFrom) return null;
  return {
    code: 'form_silent',
    message: `No submission has come since ${lastAt.toISOString()}, an improbably long silence for this form. Open its page and send it once: does the form still show, and does it still send here?`,
    since: silentFrom,
  };
}

function neverConnected({ createdAt }: Form, { state }: FormWatch, now: Date): Warning | null {
  const age = now.getTime() - createdAt.getTime();
  if (state !== 'never_connected' || age > UNCONNECTED_MS) return null;
  return {
    code: 'never_connected',
    message:
      'No submission has come since the form was made. Set the action of a form on your page to its address, and send it once.',
    since: new Date(createdAt.getTime() + CONNECT_MS),
  };
}

function signed({ code, since, amount, of, error, field }: Sign): Warning {
  const begin = momentOf(since);
  const from = begin.toISOString();
  const messages: Record<Sign['code'], string> = {
    visitors_refused: `The form has refused visitors since ${from}: ${amount} of ${of} submissions of the last day${refusal(error, field)}. Compare its rules with the fields of its page.`,
    verdicts_changed: `Nearly all submissions since ${from} were judged spam, ${amount} of ${of} in the last day, where few were before. Look through the spam, and mark what is none.`,
    spam_rising: `Much more spam than usual has come since ${from}: ${amount} of ${of} submissions of the last day. A captcha, proof of work or a blocklist keeps it out.`,
  };
  return { code, message: messages[code], since: begin };
}

/** Says what visitors got most. */
function refusal(error = '', field = ''): string {
  if (field !== '') {
    return error === 'required'
      ? ` ("${field}" is missing)`
      : ` (the rule for "${field}" refuses them)`;
  }
  return REASONS[error] === undefined ? '' : ` (${REASONS[error]})`;
}

const REASONS: Record<string, string | undefined> = {
  required: 'a field that a rule requires is missing',
  too_large: 'they are too large',
  empty: 'they have no fields',
  unreadable: 'they cannot be read',
  unknown_encoding: 'the form has an encoding that we do not know',
};
