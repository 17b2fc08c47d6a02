import { snakeCase } from '../../platform/kernel/text/text.js';

/** Choices of an owner for a form, besides its settings. */
export interface FormExtras {
  retentionDays: number | null;
  /** As `FieldLabels` encodes them. */
  fieldLabels: string | null;
  /** As `SpamSettings` encodes them. */
  spamSettings: string | null;
  /** As `encodePreview` and `encodeLearnt` do. */
  previewFields: string | null;
  /** As `FieldRules` encodes them. */
  fieldRules: string | null;
  /** As `IntakeGate` encodes it. */
  intakeGate: string | null;
  /** Provider whose answers visitors get, whatever address they send to; null for those of the address. */
  dialect: string | null;
  /** The mails to its visitors besides the settings, as `VisitorMail` encodes it. */
  visitorMail: string | null;
}

/** Defaults of these choices. */
export const NO_EXTRAS: FormExtras = {
  retentionDays: null,
  fieldLabels: null,
  spamSettings: null,
  previewFields: null,
  fieldRules: null,
  intakeGate: null,
  dialect: null,
  visitorMail: null,
};

/** Longest name of a form, in characters. */
export const FORM_NAME_MAX = 255;

/** The part of a form that its owner can set, each setting in its normal form. */
export interface FormSettings {
  name: string;
  submissionText: string;
  webhookUrl: string | null;
  redirectUrl: string | null;
  notifySubmitter: boolean | null;
  notifySubmitterFrom: string | null;
  notifySubmitterFromName: string | null;
  notifySubmitterSubject: string | null;
  notifySubmitterBody: string | null;
  notifyOwnerOnSubmission: boolean;
  notifyOwnerEmails: string | null;
  showSubmittedValues: boolean;
  bgColor: string | null;
  textColor: string | null;
  linkColor: string | null;
  whitelistedDomains: string | null;
}

/** Settings of a form that is created by name only: visitors are thanked, and the owner gets a mail. */
export const DEFAULTS: Omit<FormSettings, 'name'> = {
  submissionText: 'Thank you! We have received your submission.',
  webhookUrl: null,
  redirectUrl: null,
  notifySubmitter: null,
  notifySubmitterFrom: null,
  notifySubmitterFromName: null,
  notifySubmitterSubject: null,
  notifySubmitterBody: null,
  notifyOwnerOnSubmission: true,
  notifyOwnerEmails: null,
  showSubmittedValues: false,
  bgColor: null,
  textColor: null,
  linkColor: null,
  whitelistedDomains: null,
};

/** Everything that an owner can set. */
export const SETTING_NAMES = ['name', ...Object.keys(DEFAULTS)] as (keyof FormSettings)[];

/** The same with the names in the API. */
const SPELLINGS = SETTING_NAMES.map((name) => [name, snakeCase(name)] as const);

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

/** Settings as the API spells them. */
export type SpelledSettings = { [Name in keyof FormSettings as Snake<Name>]: FormSettings[Name] };

/** Spells settings as the API does; what is left out stays so. */
export function spelled(settings: FormSettings): SpelledSettings;
export function spelled(settings: Partial<FormSettings>): Partial<SpelledSettings>;
export function spelled(settings: Partial<FormSettings>): Partial<SpelledSettings> {
  const given = SPELLINGS.filter(([name]) => settings[name] !== undefined);
  return Object.fromEntries(given.map(([name, spelling]) => [spelling, settings[name]]));
}

/** Reads settings that are spelled as the API does, each in its normal form. */
export function readSettings(sent: object): Partial<FormSettings> {
  const values = sent as Record<string, unknown>;
  const given = SPELLINGS.filter(([, spelling]) => values[spelling] !== undefined);
  return Object.fromEntries(given.map(([name, spelling]) => [name, values[spelling]]));
}

/**
 * Writes a form that owners paste into a page. Browsers tell other sites the origin of a page and no more, so the form
 * says where it stands when it is sent, in an attribute that templates and editors keep more often than a script.
 * @param more lines in front of its button
 */
export function formSnippet(address: string, more = ''): string {
  return `<form action="${address}" method="post" accept-charset="UTF-8"
  onsubmit="this._page.value = location.href">
  <label>Your email <input type="email" name="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <input type="text" name="_gotcha" hidden tabindex="-1" autocomplete="off">
  <input type="hidden" name="_page">${more}
  <button type="submit">Send</button>
</form>`;
}
