import type { Principal } from '../accounts/access/index.js';
import { mayChange } from '../forms/access/may-change.js';
import type { Form } from '../forms/model/form.entity.js';
import { MINUTE_MS, hook } from '../platform/index.js';

/** Time between two looks of a process at the whole service, in milliseconds. */
export const SERVICE_LOOK_MS = 10 * MINUTE_MS;

/** Names of what is unusual about a form, by how it is watched and by its canary. */
const VITAL_CODES = [
  ...(['page_broken', 'canary_failing', 'form_silent', 'never_connected'] as const),
  ...(['spam_rising', 'verdicts_changed', 'visitors_refused'] as const),
] as const;

/** Tells whether a finding is of what is unusual about a form. */
export function isVital({ code }: Pick<Finding, 'code'>) {
  return (VITAL_CODES as readonly string[]).includes(code);
}

/** Names of what can be wrong with a form or an account, in the order in which it is told. Programs go by them, so each keeps its meaning. */
export const FINDING_CODES = [
  ...(['mail_not_configured', 'files_nearly_full'] as const),
  ...VITAL_CODES,
  ...(['nobody_is_told', 'recipients_unconfirmed', 'recipient_bounces'] as const),
  ...(['webhook_disabled', 'webhook_failing', 'destination_failing'] as const),
  ...(['owner_email_failing', 'submitter_email_failing', 'opt_in_failing'] as const),
  ...(['origins_refused', 'captcha_unverified', 'secret_unreadable'] as const),
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** When owners get a mail: at once, once it has lasted for an hour, or never, since pages alone show it. */
export type Severity = 'urgent' | 'lasting' | 'shown';

/** Something that nobody wanted, about a form, an account or the whole service. What somebody has set is no finding. */
export interface Finding {
  subject: Subject;
  /** A FindingCode; of the whole service the name of a check. */
  code: string;
  severity: Severity;
  /** Says what is wrong. */
  text: string;
  /** Says how to mend it. */
  fix: string;
  /** Since when; absent where that is not known. */
  since?: Date;
  /** Whether it is about what clients do not see, such as a destination of all forms. */
  ofAccount?: boolean;
}

/** The subject of a finding. The whole service has the id 0. */
export interface Subject {
  kind: 'form' | 'account' | 'service';
  id: number;
}

/** A finding about a form that is being checked. */
export type Found = Omit<Finding, 'subject' | 'code'> & { code: FindingCode };

/** Declares a check of some forms of one account. It changes nothing. */
export const ChecksForms = hook<(forms: readonly Form[]) => Promise<readonly Finding[]>>();

/** Declares a check of what all forms of an account share. */
export const ChecksAccount = hook<(accountId: number) => Promise<Found | null>>();

/** Checks forms one by one, for a check that has looked up what it needs for all of them. */
export function findIn(
  forms: readonly Form[],
  check: (form: Form) => readonly (Found | null | undefined)[],
): Finding[] {
  return forms.flatMap((form) =>
    check(form).flatMap((found) => (found ? [{ subject: aForm(form.id), ...found }] : [])),
  );
}

export function aForm(id: number): Subject {
  return { kind: 'form', id };
}

/** Says what is wrong, and how to mend it. */
export function sentencesOf({ text, fix }: Pick<Finding, 'text' | 'fix'>) {
  return `${text} ${fix}`.trim();
}

/** Tells whether somebody is told of findings: members are, and people of a client who may change its forms. */
export function isTold(principal: Principal) {
  return principal.has(principal.clientId === null ? 'forms:read' : 'forms:write');
}

/** Tells whether a finding concerns somebody: not a client that cannot change it, as for a form that it has not made. */
export function concerns(
  principal: Principal,
  { subject, ofAccount = false }: Pick<Finding, 'subject' | 'ofAccount'>,
  form: Pick<Form, 'madeByClientId'> | null,
) {
  if (principal.clientId === null) return true;
  return subject.kind === 'form' && !ofAccount && form !== null && mayChange(principal, form);
}
