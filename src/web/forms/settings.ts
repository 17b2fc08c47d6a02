import { ChangeFormDto, ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import type { Form, FormSettings } from '../../forms/model/form.entity.js';
import { checked, textOf, type Typed } from '../parts/typed.js';
import { words } from '../words.js';

/** A setting on the page. It is named as in the API, whose problems name it. */
export interface Setting {
  name: keyof typeof words.form.fields;
  type?: 'text' | 'email' | 'url';
  /** Lines of its text area. */
  rows?: number;
  isFlag?: boolean;
  required?: boolean;
}

interface Group {
  name: keyof typeof words.form.groups;
  settings: Setting[];
}

/** The settings in the order in which the page asks for them. */
export const GROUPS: Group[] = [
  {
    name: 'after',
    settings: [
      { name: 'submission_text', rows: 3 },
      { name: 'redirect_url', type: 'url' },
      { name: 'show_submitted_values', isFlag: true },
    ],
  },
  {
    name: 'owner',
    settings: [
      { name: 'notify_owner_on_submission', isFlag: true },
      { name: 'notify_owner_emails' },
      { name: 'webhook_url', type: 'url' },
    ],
  },
  {
    name: 'visitor',
    settings: [
      { name: 'notify_submitter', isFlag: true },
      { name: 'notify_submitter_from_name' },
      { name: 'notify_submitter_from', type: 'email' },
      { name: 'notify_submitter_subject' },
      { name: 'notify_submitter_body', rows: 6 },
    ],
  },
  {
    name: 'looks',
    settings: [{ name: 'bg_color' }, { name: 'text_color' }, { name: 'link_color' }],
  },
  { name: 'sources', settings: [{ name: 'whitelisted_domains' }] },
];

/** The label and the hint of each setting. */
export const LABELS: Record<Setting['name'], { label: string; hint?: string }> = words.form.fields;

const ALL: Setting[] = [{ name: 'name' }, ...GROUPS.flatMap(({ settings }) => settings)];

/** Returns the values of the page's fields for a form. */
export function valuesOf(form: Form): Record<string, string> {
  const values: Record<Setting['name'], string | boolean | null> = {
    name: form.name,
    submission_text: form.submissionText,
    webhook_url: form.webhookUrl,
    redirect_url: form.redirectUrl,
    notify_submitter: form.notifySubmitter,
    notify_submitter_from: form.notifySubmitterFrom,
    notify_submitter_from_name: form.notifySubmitterFromName,
    notify_submitter_subject: form.notifySubmitterSubject,
    notify_submitter_body: form.notifySubmitterBody,
    notify_owner_on_submission: form.notifyOwnerOnSubmission,
    notify_owner_emails: form.notifyOwnerEmails,
    show_submitted_values: form.showSubmittedValues,
    bg_color: form.bgColor,
    text_color: form.textColor,
    link_color: form.linkColor,
    whitelisted_domains: form.whitelistedDomains,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`form.${name}`, String(value ?? '')]),
  );
}

/** Returns what was typed into the fields of the page, by their names. */
export function typedOf(sent: Typed | undefined): Record<string, string> {
  return Object.fromEntries(Object.keys(sent ?? {}).map((name) => [name, textOf(sent, name)]));
}

/**
 * Reads the settings that were typed.
 * @throws InvalidInputError naming every field at fault
 */
export async function settingsTyped(typed: Record<string, string>): Promise<Partial<FormSettings>> {
  const { form } = await checked(ChangeFormDto, { form: settingsSent(typed) });
  return ChangeFormSettingsDto.of(form);
}

/**
 * Returns the settings that a page sent in the shape of the API: an empty field clears, a box that is
 * not ticked is not sent and means no. Line breaks are those of the API, not of HTTP.
 */
export function settingsSent(sent: Record<string, string>): Record<string, unknown> {
  const settings = ALL.map(({ name, isFlag }) => {
    const value = sent[`form.${name}`]?.replace(/\r\n?/g, '\n') ?? '';
    if (isFlag) return [name, value === 'true'];
    const mayBeEmpty = name === 'name' || name === 'submission_text';
    return [name, value === '' && !mayBeEmpty ? null : value];
  });
  return Object.fromEntries(settings) as Record<string, unknown>;
}
