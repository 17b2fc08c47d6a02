import type { Form } from '../forms/model/form.entity.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import type { Sign } from '../watch/model/signs.js';
import { momentOf } from '../watch/rhythm/hours.js';
import type { Warning } from './warning.js';

/** Returns what is unusual about a form, by how it is watched. */
export function vitalWarnings(form: Form, watch: FormWatch | undefined): Warning[] {
  if (!watch || watch.state === 'off') return [];
  return [
    ...(watch.state === 'silent' ? [silence(form, watch)] : []),
    ...(watch.state === 'never_connected' ? [neverConnected(form)] : []),
    ...watch.signs.map((sign) => signed(form, sign)),
  ];
}

function silence({ identifier }: Form, { lastAt }: FormWatch): Warning {
  return {
    code: 'form_silent',
    message: `No submission has come since ${hourText(lastAt ?? new Date(0))}, and for this form so long a silence is improbable. Open its page and send it once. GET /api/v1/forms/${identifier}/watch shows what is usual.`,
  };
}

function neverConnected({ identifier, createdAt }: Form): Warning {
  return {
    code: 'never_connected',
    message: `No submission has come since the form was made on ${createdAt.toISOString().slice(0, 10)}. Set the action of a form on your page to /f/${identifier}, and send it once.`,
  };
}

function signed({ identifier }: Form, { code, since, amount, of, error, field }: Sign): Warning {
  const from = hourText(momentOf(since));
  if (code === 'visitors_refused') {
    return {
      code,
      message: `The form has refused its visitors since ${from}: ${amount} of ${of} submissions of the last day${refusal(error, field)}. Compare its page with GET /api/v1/forms/${identifier}/rules.`,
    };
  }
  if (code === 'verdicts_changed') {
    return {
      code,
      message: `Nearly all submissions since ${from} were judged spam (${amount} of ${of} in the last day), where few were before. Look through the spam, and mark what is none.`,
    };
  }
  return {
    code,
    message: `Much more spam than usual has come since ${from}: ${amount} of ${of} submissions of the last day. A captcha, a blocklist or proof of work keeps it out: PUT /api/v1/forms/${identifier}/spam.`,
  };
}

/** Says what visitors got most. */
function refusal(error = '', field = ''): string {
  if (field === '') return error === '' ? '' : ` (${REASONS[error] ?? error})`;
  return error === 'required' ? ` ("${field}" is missing)` : ` ("${field}": ${error})`;
}

const REASONS: Record<string, string | undefined> = {
  too_large: 'they are too large',
  empty: 'they have no fields',
  unreadable: 'they cannot be read',
  unknown_encoding: 'their encoding is unknown',
};

/** Writes the begin of an hour, such as `2030-01-31 14:00 UTC`. */
function hourText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
