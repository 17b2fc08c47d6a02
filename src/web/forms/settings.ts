import { ChangeFormDto, ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import type { Form } from '../../forms/model/form.entity.js';
import { checked, textOf, type Typed } from '../parts/typed.js';
import { formWords } from './words.js';

/** A setting on the page. It is named as in the API, whose problems name it. */
export interface Setting {
  name: keyof typeof formWords.fields;
  type?: 'text' | 'email' | 'url' | 'color';
  /** Lines of its text area. */
  rows?: number;
  isFlag?: boolean;
  required?: boolean;
}

/** Settings that are saved together. */
export type Group = keyof typeof formWords.groups;

/** The settings of each group in the order in which its page asks for them; those of a list share a line. */
export const GROUPS: Record<Group, (Setting | Setting[])[]> = {
  general: [{ name: 'name', required: true }],
  thanks: [
    { name: 'submission_text', rows: 3 },
    { name: 'show_submitted_values', isFlag: true },
    [
      { name: 'bg_color', type: 'color' },
      { name: 'text_color', type: 'color' },
      { name: 'link_color', type: 'color' },
    ],
    { name: 'redirect_url', type: 'url' },
  ],
  owner: [{ name: 'notify_owner_on_submission', isFlag: true }, { name: 'notify_owner_emails' }],
  visitor: [
    { name: 'notify_submitter', isFlag: true },
    [{ name: 'notify_submitter_from_name' }, { name: 'notify_submitter_from', type: 'email' }],
    { name: 'notify_submitter_subject' },
    { name: 'notify_submitter_body', rows: 6 },
  ],
  domains: [{ name: 'whitelisted_domains' }],
};

/** The label and the hint of each setting. */
export const LABELS: Record<Setting['name'], { label: string; hint?: string }> = formWords.fields;

/** Returns the values of the fields for a form, by their names. */
export function valuesOf(form: Form): Record<string, string> {
  const values: Record<Setting['name'], string | boolean | null> = {
    name: form.name,
    submission_text: form.submissionText,
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

/** Returns what was typed into the fields of a page, by their names. */
export function typedOf(sent: Typed | undefined): Record<string, string> {
  return Object.fromEntries(Object.keys(sent ?? {}).map((name) => [name, textOf(sent, name)]));
}

/**
 * Reads the settings of a group that were typed.
 * @throws InvalidInputError naming every field at fault
 */
export async function settingsTyped(
  group: Group,
  typed: Record<string, string>,
): Promise<Partial<FormSettings>> {
  const { form } = await checked(ChangeFormDto, { form: settingsSent(group, typed) });
  return ChangeFormSettingsDto.of(form);
}

/**
 * Returns the settings of a group that a page sent in the shape of the API: an empty field clears, a box that is
 * not ticked is not sent and means no. Line breaks are those of the API, not of HTTP.
 */
export function settingsSent(group: Group, sent: Record<string, string>): Record<string, unknown> {
  const settings = GROUPS[group].flat().map(({ name, isFlag }) => {
    const value = sent[`form.${name}`]?.replace(/\r\n?/g, '\n') ?? '';
    if (isFlag) return [name, value === 'true'];
    const mayBeEmpty = name === 'name' || name === 'submission_text';
    return [name, value === '' && !mayBeEmpty ? null : value];
  });
  return Object.fromEntries(settings) as Record<string, unknown>;
}
