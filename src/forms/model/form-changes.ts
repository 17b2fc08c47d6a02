import type { AuditDetails, AuditTarget, PrincipalEvent } from '../../audit/audit-entry.entity.js';
import type { FormExtras } from './form-extras.js';
import { SETTING_NAMES, type FormSettings } from './form-settings.js';
import { type Form } from './form.entity.js';

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
  return SETTING_NAMES.filter((name) => before[name] !== after[name]).map((name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
