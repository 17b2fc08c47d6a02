import type { AuditDetails, AuditTarget, PrincipalEvent } from '../../audit/audit-entry.entity.js';
import { type FormExtras, SETTING_NAMES, type FormSettings } from './form-snippet.js';
import type { Form } from './form.entity.js';
import { snakeCase } from '../../platform/kernel/text/text.js';

/** Settings to change, or how they follow from what a form has. */
export type SettingsChange = Partial<FormSettings> | ((form: Form) => Partial<FormSettings>);

/** The same of what a form has besides settings. */
export type ExtrasChange = Partial<FormExtras> | ((form: Form) => Partial<FormExtras>);

/** Names a form in the audit log. */
export function formTarget({ identifier, name }: Pick<Form, 'identifier' | 'name'>): AuditTarget {
  return { kind: 'form', id: identifier, name };
}

/** Returns what the audit log says of a change. */
export function formChanged(form: Form, details: AuditDetails): PrincipalEvent {
  return { action: 'form.changed', target: formTarget(form), details };
}

/** Names in the audit log of what a form has besides settings. */
const NAMES: Record<keyof FormExtras, string> = {
  retentionDays: 'retention',
  fieldLabels: 'labels',
  spamSettings: 'spam',
  previewFields: 'preview',
  fieldRules: 'rules',
  intakeGate: 'intake',
  dialect: 'dialect',
  visitorMail: 'visitor_mail',
};

/** Returns the details of a change of what a form has besides settings; labels and fields are the owner's own. */
export function extraDetails(extras: Partial<FormExtras>): AuditDetails {
  const { retentionDays: days } = extras;
  const names = (Object.keys(extras) as (keyof FormExtras)[]).map((name) => NAMES[name]);
  return { settings: names.join(','), ...(days !== undefined && { days }) };
}

/** Returns the names of the settings that differ, as the API spells them. */
export function changedSettings(before: FormSettings, after: FormSettings): string[] {
  return SETTING_NAMES.filter((name) => before[name] !== after[name]).map(snakeCase);
}

/** Topics of signals about a form, as event streams name it; the subject is the id of the form. */
export const FORM_TOPICS = {
  /** A submission came. */
  arrived: 'submissions',
  /** Marks, notes, tags or deliveries of a submission changed, or it was removed. */
  changed: 'changes',
} as const;

/** Name of the event that someone opened or closed a submission. */
export const PRESENCE = 'presence';

/** Returns the topic by which whoever acts for a client, or for the account, hears of people whom they know. */
export function presenceTopicFor(clientId: number | null): string {
  return clientId === null ? 'open' : `open ${clientId}`;
}

/** Returns the topics that tell of a person: members hear of everybody, people of a client of one another. */
export function presenceTopics(clientId: number | null): string[] {
  return clientId === null
    ? [presenceTopicFor(null)]
    : [presenceTopicFor(null), presenceTopicFor(clientId)];
}

const IDENTIFIER = /^[0-9a-f]{16}$/;

/** Tells whether a text can be the identifier of a form. */
export function isFormIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}
