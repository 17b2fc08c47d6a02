import type { CanaryFailure } from '../canary/canary.service.js';
import { isOfService } from '../canary/model/step.js';
import type { Form } from '../forms/model/form.entity.js';
import { DAY_MS } from '../platform/kernel/time.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import { SIGN_CODES, type Sign, type SignCode, CONNECT_MS } from '../watch/model/signs.js';
import { momentOf } from '../watch/rhythm/hours.js';
import type { Principal } from '../access/principal.js';
import { mayChange } from '../forms/access/may-change.js';
import type { DeliveryKind } from '../deliveries/model/delivery.entity.js';
import { IntakeGate } from '../forms/model/intake-gate.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { allowsOrigin } from '../spam/signals/origin.js';

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
    message: `No submissions since ${lastAt.toISOString()}, which is unusual for this form. Open its page and submit a test.`,
    since: silentFrom,
  };
}

function neverConnected({ createdAt }: Form, { state }: FormWatch, now: Date): Warning | null {
  const age = now.getTime() - createdAt.getTime();
  if (state !== 'never_connected' || age > UNCONNECTED_MS) return null;
  return {
    code: 'never_connected',
    message:
      'No submissions yet. Set the action of a form on your page to its address, and submit a test.',
    since: new Date(createdAt.getTime() + CONNECT_MS),
  };
}

function signed({ code, since, amount, of, error, field }: Sign): Warning {
  const begin = momentOf(since);
  const from = begin.toISOString();
  const messages: Record<Sign['code'], string> = {
    visitors_refused: `The form refuses visitors since ${from}: ${amount} of ${of} submissions in the last day${refusal(error, field)}. Compare its fields with those on its page.`,
    verdicts_changed: `Nearly all submissions since ${from} were filed as spam, ${amount} of ${of} in the last day. Review them, and mark what is not spam.`,
    spam_rising: `Much more spam than usual since ${from}: ${amount} of ${of} submissions in the last day. A captcha, proof of work or a blocklist stops it.`,
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
  return FAILED_CHECKS[error] === undefined ? '' : ` (${FAILED_CHECKS[error]})`;
}

const FAILED_CHECKS: Record<string, string | undefined> = {
  required: 'a field that a rule requires is missing',
  too_large: 'they are too large',
  empty: 'they have no fields',
  unreadable: 'they cannot be read',
  unknown_encoding: 'the form has an encoding that we do not know',
};

/** The kinds of warnings. Programs go by them, so a code keeps its meaning. */
export type WarningCode =
  | 'nobody_is_told'
  | 'recipients_unconfirmed'
  | 'recipient_bounces'
  | 'mail_not_configured'
  | 'webhook_disabled'
  | 'owner_email_failing'
  | 'submitter_email_failing'
  | 'webhook_failing'
  | 'destination_failing'
  | 'opt_in_failing'
  | 'origins_refused'
  | 'captcha_unverified'
  | 'secret_unreadable'
  | 'files_nearly_full'
  | 'intake_closed'
  | 'form_silent'
  | 'never_connected'
  | 'page_broken'
  | 'canary_failing'
  | SignCode;

/** A reason why a form does not do what its owner expects. */
export interface Warning {
  /** Stable name of the kind of warning. */
  code: WarningCode;
  /** Says what is wrong and how to fix it. */
  message: string;
  /** Since when; absent where that is not known. */
  since?: Date;
}

/** Warnings that no setting of a form mends. */
export const NOT_OF_A_FORM: ReadonlySet<string> = new Set<WarningCode>([
  'mail_not_configured',
  'files_nearly_full',
]);

/** Tells whether a warning is of something that nobody has set so: a form that takes no submissions is in a state. */
export function isUnwanted({ code }: { code: string }): boolean {
  return code !== 'intake_closed';
}

/** Tells whether a warning is a problem of its form alone. */
export function isProblem(warning: { code: string }): boolean {
  return isUnwanted(warning) && !NOT_OF_A_FORM.has(warning.code);
}

/** Leaves out for a client what it cannot change: what no setting mends, and the warnings of forms that it has not made. */
export function concerning(
  principal: Principal,
  form: Pick<Form, 'madeByClientId'>,
  warnings: Warning[],
): Warning[] {
  if (principal.clientId === null) return warnings;
  return mayChange(principal, form) ? warnings.filter(({ code }) => !NOT_OF_A_FORM.has(code)) : [];
}

/** Facts looked up for several forms at once. */
export interface Known {
  /** Addresses that owner mails may go to. */
  reachable: ReadonlySet<string>;
  /** Words of the receiver for addresses that take no mails, by the address in lower case. */
  failing: ReadonlyMap<string, string>;
  /** The address that gets the owner mails of forms that name none; empty without one. */
  accountEmail: readonly string[];
  /** Since when the webhook of a form is disabled, by the form. */
  disabled: ReadonlyMap<number, Date>;
  /** Kinds of deliveries of which a form has some that wait or failed, by the form. */
  open: ReadonlyMap<number, readonly DeliveryKind[]>;
  /** Origins for which submissions were taken for spam lately, by the form. */
  refused: ReadonlyMap<number, readonly string[]>;
  /** Recent complaints of captcha providers about the keys, by form. */
  unverified: ReadonlyMap<number, string>;
  /** Destinations and mail servers whose secrets no key opens, by the form. */
  unreadable: ReadonlyMap<number, readonly string[]>;
  /** Confirmed failures of canaries, by the form. */
  canaries: ReadonlyMap<number, CanaryFailure>;
  /** How forms are watched, by the form. */
  watches: ReadonlyMap<number, FormWatch>;
  /** About the files of the account. */
  full: Warning | null;
}

export function nobodyIsTold(form: Form, { accountEmail }: Known): Warning | null {
  if (form.webhookUrl !== null) return null;
  if (!form.notifyOwnerOnSubmission) {
    return {
      code: 'nobody_is_told',
      message:
        'Nobody is notified of submissions: notify_owner_on_submission is false, and webhook_url is not set.',
    };
  }
  if (form.notifyOwnerEmails !== null || accountEmail.length > 0) return null;
  return {
    code: 'nobody_is_told',
    message:
      'Nobody is notified of submissions: neither notify_owner_emails nor the email of the account is set.',
  };
}

export function recipientsUnconfirmed(form: Form, { reachable }: Known): Warning | null {
  if (!form.notifyOwnerOnSubmission) return null;
  const open = form.ownerRecipients.filter((email) => !reachable.has(email));
  if (open.length === 0) return null;
  return {
    code: 'recipients_unconfirmed',
    message: `${open.join(', ')} must confirm before we send emails about submissions there. Each address got an email with a link. POST /api/v1/forms/${form.identifier}/recipients/ask sends it again, up to once a day.`,
  };
}

export function recipientBounces(form: Form, { failing, accountEmail }: Known): Warning | null {
  const { identifier, notifyOwnerOnSubmission, notifyOwnerEmails, ownerRecipients } = form;
  if (!notifyOwnerOnSubmission) return null;
  const owners = notifyOwnerEmails === null ? accountEmail : ownerRecipients;
  const found = owners.filter((email) => failing.has(email.toLowerCase()));
  if (found.length === 0) return null;
  const reasons = found.map((email) => `${email} (${failing.get(email.toLowerCase()) ?? ''})`);
  return {
    code: 'recipient_bounces',
    message: `Emails to ${reasons.join(', ')} came back, so we send none there. Fix the address, or send emails there again with POST /api/v1/forms/${identifier}/recipients/failing/try.`,
  };
}

export function webhookIsDisabled({ id }: Form, { disabled }: Known): Warning | null {
  const since = disabled.get(id);
  if (since === undefined) return null;
  return {
    code: 'webhook_disabled',
    message: `The webhook has been disabled since ${since.toISOString()}. Turn it on with PATCH …/webhook.`,
  };
}

export function originsRefused(
  { id, identifier, whitelistedDomains }: Form,
  { refused }: Known,
): Warning | null {
  const lately = refused.get(id) ?? [];
  const origins = lately.filter((origin) => !allowsOrigin(whitelistedDomains, origin));
  if (origins.length === 0) return null;
  return {
    code: 'origins_refused',
    message: `Recent submissions went to spam because of the domain they came from: ${origins.join(', ')}. If one of these domains is yours, allow it with POST /api/v1/forms/${identifier}/origins.`,
  };
}

/** Warns of a form that is paused, closed or full: its owner may have forgotten. */
export function intakeIsClosed(form: Form, now: Date): Warning | null {
  const { opening } = IntakeGate.of(form);
  const shut = new IntakeGate({ ...opening, message: null }).closedFor(form, now);
  if (shut === null) return null;
  return {
    code: 'intake_closed',
    message: `Submissions are refused: ${REASONS[shut.code] ?? shut.code}. Open the form with PUT /api/v1/forms/${form.identifier}/intake.`,
  };
}

const REASONS: Record<string, string | undefined> = {
  form_paused: 'the form is paused',
  form_not_open_yet: 'the form opens later',
  form_closed: 'the form has closed at its date',
  form_full: 'the form has as many submissions as it takes',
};

export function secretsAreUnreadable({ id }: Form, { unreadable }: Known): Warning | null {
  const names = unreadable.get(id);
  return names === undefined
    ? null
    : {
        code: 'secret_unreadable',
        message: `The secrets of ${names.join(', ')} cannot be read, so what goes there waits. Ask the operator for the former SECRET_KEY, or set the secrets again.`,
      };
}

export function captchaIsUnverified(form: Form, { unverified }: Known): Warning | null {
  const { captcha } = SpamSettings.of(form);
  const trouble = unverified.get(form.id);
  if (captcha === null || trouble === undefined) return null;
  return {
    code: 'captcha_unverified',
    message: `${captcha.provider} rejects the captcha keys ("${trouble}"), so submissions are held. Set site_key and secret again with PUT /api/v1/forms/${form.identifier}/spam.`,
  };
}
