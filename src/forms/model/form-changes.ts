import type { AuditDetails, AuditTarget, PrincipalEvent } from '../../accounts/audit/audit-entry.entity.js';
import type { FormChange } from './form-settings.js';
import type { Form } from './form.entity.js';

/** Settings to change, or how they follow from what a form has. */
export type SettingsChange = FormChange | ((form: Form) => FormChange);

/** Names a form in the audit log. */
export function formTarget({ identifier, name }: Pick<Form, 'identifier' | 'name'>): AuditTarget {
  return { kind: 'form', id: identifier, name };
}

/** Returns what the audit log says of a change. */
export function formChanged(form: Form, details: AuditDetails): PrincipalEvent {
  return { action: 'form.changed', target: formTarget(form), details };
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
export function presenceTopicFor(clientId: number | null) {
  return clientId === null ? 'open' : `open ${clientId}`;
}

/** Returns the topics that tell of a person: members hear of everybody, people of a client of one another. */
export function presenceTopics(clientId: number | null): string[] {
  return clientId === null ? [presenceTopicFor(null)] : [presenceTopicFor(null), presenceTopicFor(clientId)];
}

const IDENTIFIER = /^[0-9a-f]{16}$/;

/** Tells whether a text can be the identifier of a form. */
export function isFormIdentifier(text: string) {
  return IDENTIFIER.test(text);
}
