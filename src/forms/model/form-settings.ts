import { parseColour, parseEmailAddress, parseEmailList, snakeCase } from '../../platform/index.js';
import { parseDomainList, parseHttpUrl, parseStatuses, STATUSES_MAX, TAG_MAX } from './form-values.js';
import { flag, optional, parsed, setting, SettingGroup, text, whole, type ValuesOf } from './setting.js';

/** Longest name of a form, in characters. */
export const FORM_NAME_MAX = 255;
/** Longest line and longest text, in characters. */
export const LINE_MAX = 255;
export const TEXT_MAX = 10_000;

const httpUrl = (hint = '') => ({
  ...parsed(
    'url',
    'not_a_url',
    parseHttpUrl,
    `must be an absolute http or https URL without user and password, of at most 2048 characters, such as https://example.com/thanks${hint}`,
  ),
  limits: '; http or https',
});
const colour = parsed(
  'color',
  'not_a_colour',
  parseColour,
  'must be a hex color such as #fff or #1a2b3c, or a CSS color name',
);
const email = parsed('email', 'not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com');
const emails = parsed(
  'line',
  'not_an_email',
  parseEmailList,
  'must be email addresses separated by commas, of at most 2000 characters together, such as a@example.com,b@example.com',
);
const domains = {
  ...parsed(
    'line',
    'not_a_domain',
    parseDomainList,
    'must list hosts or origins of at most 2000 characters together, such as example.com, *.example.com or https://www.example.com',
  ),
  limits: ' or as an array: `example.com`, `*.example.com`, `https://www.example.com`',
  takes: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] },
};

/** The settings of a form in the contract, in its order; their columns have the same names. */
export const FORM_SETTINGS = new SettingGroup({
  path: 'form',
  settings: {
    submissionText: setting(text({ max: TEXT_MAX, lines: true }), 'Thank you! We have received your submission.', {
      says: 'Text shown to the visitor after sending',
      page: { section: 'visitors', label: 'Message', hint: 'Shown after submitting.' },
    }),
    webhookUrl: optional(httpUrl('. For a URL with user and password add a destination of the kind webhook'), {
      says: 'Called for each submission',
      page: { section: 'notifications', label: 'Webhook URL', hint: 'Called for each submission.' },
    }),
    redirectUrl: optional(httpUrl(), {
      says: 'Where browsers go after sending',
      page: {
        section: 'visitors',
        label: 'Redirect URL (optional)',
        hint: 'Such as https://example.com/thanks. Leave empty to show our thank-you page.',
      },
    }),
    notifySubmitter: optional(flag, {
      says: 'Whether the visitor gets an email',
      page: { section: 'notifications', label: 'Email to the visitor' },
    }),
    notifySubmitterFrom: optional(email, { says: 'Sender address of the email to the visitor' }),
    notifySubmitterFromName: optional(text({ max: LINE_MAX }), { says: 'Sender name of the email to the visitor' }),
    notifySubmitterSubject: optional(text({ max: LINE_MAX }), { says: 'Subject of the email to the visitor' }),
    notifySubmitterBody: optional(text({ max: TEXT_MAX }), { says: 'Body of the email to the visitor' }),
    notifyOwnerOnSubmission: setting(flag, true, {
      says: 'Whether the owner gets an email for each submission',
      page: { section: 'notifications', label: 'Email about each submission' },
    }),
    notifyOwnerEmails: optional(emails, {
      says: 'Recipients, comma-separated; the address of the account when null',
      page: {
        section: 'notifications',
        label: 'Recipients',
        hint: 'Email addresses, separated by commas. New ones must confirm.',
      },
    }),
    showSubmittedValues: setting(flag, false, {
      says: 'Whether the visitor sees the submitted values after sending',
      page: { section: 'visitors', label: 'Show visitors what they submitted' },
    }),
    bgColor: optional(colour, {
      says: 'Background colour of the page after sending',
      page: { section: 'visitors', label: 'Background color', hint: 'Such as #fff or white.' },
    }),
    textColor: optional(colour, {
      says: 'Text colour of that page',
      page: { section: 'visitors', label: 'Text color', isBeside: true },
    }),
    linkColor: optional(colour, {
      says: 'Link colour of that page',
      page: { section: 'visitors', label: 'Link color', isBeside: true },
    }),
    whitelistedDomains: optional(domains, {
      says: 'Hosts or origins the form may be sent from, comma-separated',
      page: {
        section: 'spam',
        label: 'Allowed websites',
        hint: 'Such as example.com, *.example.com. Submissions from other sites are filed as spam. Leave empty to allow any site.',
      },
    }),
  },
});

/** The name of a form, which has no default. */
export const FORM_NAME = new SettingGroup({
  path: 'form',
  settings: {
    name: setting(text({ min: 1, max: FORM_NAME_MAX, trim: true }), '', {
      says: 'Name of the form',
      page: {
        section: 'general',
        label: 'Name',
        hint: 'Visitors see it in the browser tab of the thank-you page and in emails to them.',
      },
    }),
  },
});

/** How long a form keeps its submissions. */
export const RETENTION = new SettingGroup({
  path: 'retention',
  routes: {
    show: 'Show the retention of a form.',
    set: 'Set the retention of a form. What is older goes within the hour, files too.',
    allows: 'erase',
  },
  settings: {
    retentionDays: optional(whole(36_500, 'days'), {
      name: 'days',
      many: 'retention_days',
      says: 'Submissions older than this many days are removed, with their files',
      none: 'keeps them',
      page: {
        section: 'keep',
        label: 'Delete submissions after (days)',
        hint: 'Leave empty to keep them. Otherwise, anything older is permanently deleted within the hour, including files.',
      },
    }),
  },
});

/** The tags of which a submission has one at most. */
export const STATUSES = new SettingGroup({
  path: 'statuses',
  routes: {
    show: 'Show the statuses of a form.',
    set: 'Set the statuses of a form. They are tags: a submission that gets one loses the others.',
  },
  settings: {
    statuses: optional(
      {
        ...parsed(
          'line',
          'not_statuses',
          parseStatuses,
          `must be at most ${STATUSES_MAX} words of up to ${TAG_MAX} characters, separated by commas, such as contacted, won, lost`,
        ),
        limits: ', in lower case',
      },
      {
        says: 'Tags, comma-separated, of which a submission has one at most',
        none: 'for none',
        many: 'statuses',
        page: {
          section: 'general',
          label: 'Statuses (optional)',
          hint: 'Such as contacted, won, lost. Each submission has one of them, which you choose beside it.',
        },
      },
    ),
  },
});

export const DEFAULTS = FORM_SETTINGS.defaults;

/** The part of a form that its owner can set, each setting in its normal form. */
export interface FormSettings extends ValuesOf<typeof FORM_SETTINGS.settings> {
  name: string;
}

/** Everything that an owner can set. */
export const SETTING_NAMES = ['name', ...FORM_SETTINGS.list.map(({ name }) => name)] as (keyof FormSettings)[];

/** The columns of what an owner chooses besides, each with its name in the audit log. */
export const EXTRAS = {
  retentionDays: 'retention',
  formFields: 'fields',
  spamSettings: 'spam',
  previewFields: 'preview',
  intakeGate: 'intake',
  dialect: 'dialect',
  visitorMail: 'visitor_mail',
  statuses: 'statuses',
  language: 'language',
  translations: 'translations',
  visitorPage: 'page',
} as const;
type Extra = keyof typeof EXTRAS;

/** These choices, as their columns have them. */
export type FormExtras = Record<Exclude<Extra, 'retentionDays'>, string | null> & { retentionDays: number | null };

// `fromEntries` forgets the names.
export const NO_EXTRAS = Object.fromEntries(Object.keys(EXTRAS).map((name) => [name, null])) as unknown as FormExtras;

/** The names in the API of all that can change. */
const NAMES = new Map([
  ...SETTING_NAMES.map((name) => [name, snakeCase(name)] as const),
  ...(Object.entries(EXTRAS) as [Extra, string][]),
]);

/** Returns the names of what differs, as the API spells them. */
export function changedSettings(before: FormChange, after: FormChange): string[] {
  return [...NAMES].filter(([name]) => before[name] !== after[name]).map(([, spelling]) => spelling);
}

/** Columns to change; those that are left out stay. */
export type FormChange = Partial<FormSettings & FormExtras>;
