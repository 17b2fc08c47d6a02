import type { DeliveryKind } from '../../deliveries/model/delivery.entity.js';
import type { FormChange, FormSettings } from '../../forms/model/form-settings.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { KindSettings } from '../kinds/kind.js';
import { decodeVisitorMail, encodeVisitorMail } from '../../forms/model/visitor-mail.js';
import type { KindName } from '../kinds/kinds.js';

/** One of the destinations that every form has. */
interface FirstDestination {
  name: string;
  kind: KindName;
  /** Kind of its deliveries, which name no destination: those of a form are one for each kind. */
  delivery: DeliveryKind;
  /** Setting of the form that turns it on; null for one that is on while it has an address. */
  switch: 'notifyOwnerOnSubmission' | 'notifySubmitter' | null;
  /** Settings of its kind that are settings of the form, by their names. */
  fields: Readonly<Record<string, keyof FormSettings>>;
}

/**
 * The destinations that every form has, in order. The contract has their settings as fields of the form, which stores them
 * (decision 0090); their rows have the rest, and are stored with the first change of that.
 */
const FIRST = {
  team: {
    ...{ name: 'Team', kind: 'email', delivery: 'owner_email' },
    switch: 'notifyOwnerOnSubmission',
    fields: { to: 'notifyOwnerEmails' },
  },
  visitor: {
    ...{ name: 'Visitor', kind: 'visitor_email', delivery: 'submitter_email' },
    switch: 'notifySubmitter',
    fields: {
      from: 'notifySubmitterFrom',
      from_name: 'notifySubmitterFromName',
      subject: 'notifySubmitterSubject',
      body: 'notifySubmitterBody',
    },
  },
  webhook: {
    ...{ name: 'Webhook', kind: 'webhook', delivery: 'webhook' },
    switch: null,
    fields: { url: 'webhookUrl' },
  },
} as const satisfies Record<string, FirstDestination>;

export type Role = keyof typeof FIRST;
export const ROLES = Object.keys(FIRST) as Role[];

/** Returns one of the first destinations, by its role. */
export function firstOf(role: Role): FirstDestination {
  return FIRST[role];
}

/** Tells whether a setting of one of the first destinations is one of its form; of the mail to the visitor all are. */
export function isOfForm(role: Role, name: string): boolean {
  return role === 'visitor' || name in firstOf(role).fields;
}

/** The settings of a form that one of its first destinations has. */
export interface SaidByForm {
  role: Role;
  /** Null where no setting turns it on and off. */
  isOn: boolean | null;
  settings: Record<string, string>;
}

/** Returns what a form says of one of its first destinations. */
export function saidBy(form: Form, role: Role): SaidByForm {
  const { switch: turns, fields } = firstOf(role);
  const settings = Object.entries(fields).map(([name, field]) => [name, form[field]]);
  const { html, doubleOptIn } = decodeVisitorMail(form.visitorMail);
  const more = { html, confirm: doubleOptIn ? 'yes' : null };
  const all = role === 'visitor' ? [...settings, ...Object.entries(more)] : settings;
  return {
    role,
    isOn: turns && form[turns] === true,
    settings: Object.fromEntries(
      all.filter(([, value]) => value !== null),
    ) as SaidByForm['settings'],
  };
}

/** Returns the settings by which a form says of one of its first destinations that it has these. */
export function formSettings(role: Role, settings: KindSettings): FormChange {
  const { html = null, confirm } = settings;
  return {
    ...Object.fromEntries(
      Object.entries(firstOf(role).fields).map(([name, field]) => [field, settings[name] ?? null]),
    ),
    ...(role === 'visitor' && {
      visitorMail: encodeVisitorMail({ html, doubleOptIn: confirm === 'yes' }),
    }),
  };
}

/** Every id of theirs begins so: a UUID of version 8, with the role and the form in its last bytes. */
const BEGIN = Buffer.from('000000000000800080', 'hex');
const ROLE_AT = 9;
const FORM_AT = 12;

/** Returns the id of one of the first destinations of a form, as `00000000-0000-8000-8001-000000000007`. */
export function firstId(formId: number, role: Role): Buffer {
  const id = Buffer.alloc(16);
  BEGIN.copy(id);
  id[ROLE_AT] = ROLES.indexOf(role) + 1;
  id.writeInt32BE(formId, FORM_AT);
  return id;
}

/** Returns what an id says that is one of the first destinations; null for others. */
export function firstNamed(id: Buffer): { role: Role; formId: number } | null {
  const role = ROLES[(id[ROLE_AT] ?? 0) - 1];
  if (!role || !id.subarray(0, ROLE_AT).equals(BEGIN)) return null;
  return { role, formId: id.readInt32BE(FORM_AT) };
}
