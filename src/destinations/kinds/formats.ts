import { writeTemplate } from '../../platform/kernel/text/liquid.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { isAddressField } from '../../submissions/model/preview.js';
import { sentSubmissionJson } from '../../submissions/dto/submission-json.js';

/** Holds what a call says of a submission besides what was sent. */
interface Extras {
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
  /** The template of a body of the owner's own. */
  template?: string;
}

/** A body as it is sent: its exact text, what it is, and headers that go with it. */
interface WebhookBody {
  text: string;
  contentType: string;
  headers: Record<string, string>;
}

/** Writes the body of a call about a submission. */
type WebhookFormat = (full: SubmissionInFull, extras: Extras) => WebhookBody;

/** A file with the link to it. */
interface LinkedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  url: string;
}

/** Makes a body of JSON text. */
function jsonBody(text: string, headers: Record<string, string> = {}): WebhookBody {
  return { text, contentType: 'application/json', headers };
}

function idOf({ submission }: SubmissionInFull): string {
  return formatUuid(submission.id);
}

function linkedFiles({ files }: SubmissionInFull, { fileLinks }: Extras): LinkedFile[] {
  return files.map(({ field, name, mediaType: type, size }, index) => ({
    ...{ field, name, type, size },
    url: fileLinks[index] ?? '',
  }));
}

/** Names of a JSON object with their values as JSON text, which keeps their order and long numbers. */
type Members = Map<string, string>;

/** Returns the fields in the order they were sent; a repeated name has the list of its values. */
export function fieldsOf({ submission }: SubmissionInFull): Members {
  return collected(submission.values.members.map(({ name, json }) => [name, json]));
}

/** Returns the fields, and each file under the name of its field. */
function fieldsAndFiles(
  full: SubmissionInFull,
  extras: Extras,
  write: (file: LinkedFile) => unknown = ({ url }) => url,
  nameOf: (field: string) => string = (field) => field,
): Members {
  const files = linkedFiles(full, extras).map(
    (file) => [nameOf(file.field), JSON.stringify(write(file))] as const,
  );
  const fields = full.submission.values.members.map(({ name, json }) => [name, json] as const);
  return collected([...fields, ...files]);
}

/** Writes an object; a member that is given twice has its later value. */
export function objectOf(...members: Iterable<readonly [string, string]>[]): string {
  const byName = new Map(members.flatMap((some) => [...some]));
  return `{${[...byName].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** Turns plain values into members. */
function membersOf(plain: object): Members {
  return new Map(Object.entries(plain).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Returns the first value that is filled in, of the fields whose names fit; null when none is. */
function textOf({ submission }: SubmissionInFull, names: RegExp): string | null {
  const filled = submission.texts.find(({ name, text }) => names.test(name) && text.trim() !== '');
  return filled?.text ?? null;
}

function collected(pairs: readonly (readonly [string, string])[]): Members {
  const byName = new Map<string, string[]>();
  for (const [name, json] of pairs) {
    const values = byName.get(name);
    if (values) values.push(json);
    else byName.set(name, [json]);
  }
  return new Map(
    [...byName].map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : `[${values.join(',')}]`,
    ]),
  );
}

/** Characters of the body that the summary shows. */
const SUMMARY_MAX = 100;
const FULL_NAME = /^(?:full|your)?[ _-]?name$/i;
const FIRST_NAME = /^(?:first[ _-]?name|given[ _-]?name)$/i;
const LAST_NAME = /^(?:last[ _-]?name|family[ _-]?name|surname)$/i;
const COMPANY = /^(?:company|business|organi[sz]ation)(?:[ _-]?name)?$/i;
const BODY = /^(?:body|message|comments?|description|details|feedback|text)$/i;

/** Writes what an outgoing webhook of Netlify Forms has; submissions have no `number` and no `title`. */
const netlify: WebhookFormat = (full, extras) => {
  const { form, submission } = full;
  const fields = fieldsAndFiles(full, extras, ({ name, type, size, url }) => ({
    ...{ filename: name, type, size, url },
  }));
  const source = {
    ip: submission.address,
    user_agent: submission.userAgent,
    referrer: submission.referer,
  };
  const titled = [...fields].map(([name, json]) => [titleOf(name), name, json] as const);
  const human = titled.map(([title, , json]) => [title, json] as const);
  const ordered = titled.map(([title, name, json]) =>
    objectOf(membersOf({ title, name }), [['value', json]]),
  );
  return jsonBody(
    objectOf(
      membersOf({ id: idOf(full), number: null, title: null, ...personOf(full) }),
      [['data', objectOf(fields, membersOf(source))]],
      membersOf({ created_at: submission.createdAt.toISOString() }),
      [
        ['human_fields', objectOf(human)],
        ['ordered_human_fields', `[${ordered.join(',')}]`],
      ],
      membersOf({
        form_id: form.identifier,
        form_name: form.name,
        site_url: submission.origin ?? '',
      }),
    ),
  );
};

/** Returns who wrote, and what, by the names of fields. */
function personOf(full: SubmissionInFull) {
  const email = full.submission.texts.find(({ name }) => isAddressField(name))?.text ?? null;
  const first = textOf(full, FIRST_NAME);
  const last = textOf(full, LAST_NAME);
  const both = [first, last].filter((part) => part !== null).join(' ');
  const body = textOf(full, BODY);
  return {
    email,
    name: textOf(full, FULL_NAME) ?? (both === '' ? null : both),
    first_name: first,
    last_name: last,
    company: textOf(full, COMPANY),
    summary: body === null ? null : Array.from(body).slice(0, SUMMARY_MAX).join(''),
    body,
  };
}

/** Returns the name as a heading: `first_name` is `First Name`. */
function titleOf(name: string): string {
  return name
    .split(/[ _-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
    .trim();
}

/** Fields that say who wrote. */
const SENDER = ['email', 'phone', 'fullName', 'firstName', 'lastName', 'company', 'title'];

/** Writes the event, the form and the fields with the sender, as Forminit does; its files begin with `file-`. */
const forminit: WebhookFormat = (full, extras) => {
  const { form, submission } = full;
  const fields = fieldsAndFiles(
    full,
    extras,
    ({ url, size, name }) => ({ file: url, size, name }),
    (field) => `file-${field}`,
  );
  const facts = {
    sender: senderOf(full),
    submissionDate: dayAndTime(submission.createdAt),
    submissionDateISO: submission.createdAt.toISOString(),
    submission_info: {
      ...{ ip: submission.address, user_agent: submission.userAgent },
      ...{ referer: submission.referer, country: submission.country },
    },
  };
  const about = { formName: form.name, id: idOf(full), submissionStatus: 'Open' };
  return jsonBody(
    objectOf(membersOf({ event: 'form.submitted', ...about }), [
      ['data', objectOf(fields, membersOf(facts))],
    ]),
  );
};

function senderOf({ submission }: SubmissionInFull): Record<string, string> {
  const said = submission.texts.filter(({ name }) => SENDER.includes(name));
  return Object.fromEntries(said.map(({ name, text }) => [name, text]));
}

/** Writes a time in UTC, such as `05-01-2026 14:30` for the fifth of January. */
function dayAndTime(at: Date): string {
  const [, year, month, day, time] = /^(.+)-(..)-(..)T(.{5})/.exec(at.toISOString()) ?? [];
  return `${day}-${month}-${year} ${time}`;
}

/** Fields that Web3Forms keeps to itself. */
const WEB3FORMS_OWN = ['access_key', 'attachment', 'botcheck', 'recaptcha_response'];

/** Bodies that a webhook can be sent, by name: ours, and those that receivers of other providers read. */
export const FORMATS = {
  /** Writes the form and the submission under `data`, as JSON text, so that the values keep their order. */
  standard: (full, { fileLinks }) => {
    const { id, name, identifier } = full.form;
    const timestamp = JSON.stringify(full.submission.createdAt.toISOString());
    const form = JSON.stringify({ id, name, identifier });
    const submission = sentSubmissionJson(full, fileLinks);
    return jsonBody(
      `{"type":"submission.received","timestamp":${timestamp},"data":{"form":${form},"submission":${submission}}}`,
    );
  },

  /** Writes the fields and nothing else, as Formspark does. */
  flat: (full, extras) => jsonBody(objectOf(fieldsAndFiles(full, extras))),

  /** Writes the fields and the time, as Web3Forms does. */
  web3forms: (full, extras) => {
    const fields = fieldsAndFiles(full, extras);
    for (const name of WEB3FORMS_OWN) fields.delete(name);
    const submittedAt = full.submission.createdAt.toISOString();
    return jsonBody(objectOf(fields, membersOf({ submittedAt })), {
      'user-agent': 'Web3Forms/1.0',
    });
  },

  /** Writes the fields with `id` and `attachments`, as Basin does. */
  basin: (full, extras) => jsonBody(basinFields(full, extras)),

  /** Writes the same under `data`. */
  'basin-wrapped': (full, extras) => jsonBody(`{"data":${basinFields(full, extras)}}`),

  /** Writes the fields under `data` with `submission_id`, as Customer.io takes them. */
  'basin-customerio': (full, extras) => {
    const facts = { submission_id: idOf(full), attachments: attachmentsOf(full, extras) };
    return jsonBody(`{"data":${objectOf(fieldsOf(full), membersOf(facts))}}`);
  },

  /** Writes the fields as a page sends a form, each file as its link, and the `id`. */
  'basin-form': (full, extras) => {
    const pairs = full.submission.texts
      .filter(({ name }) => name !== 'id')
      .map(({ name, text }) => [name, text]);
    const files = linkedFiles(full, extras).map(({ field, url }) => [field, url]);
    return {
      text: new URLSearchParams([...pairs, ...files, ['id', idOf(full)]]).toString(),
      contentType: 'application/x-www-form-urlencoded',
      headers: {},
    };
  },

  /** Writes the form, the names of the fields and the submission with its `_date`, as Formspree does. */
  formspree: (full, extras) => {
    const fields = fieldsAndFiles(full, extras);
    const date = [['_date', JSON.stringify(full.submission.createdAt.toISOString())]] as const;
    const about = membersOf({ form: full.form.identifier, keys: [...fields.keys()] });
    return jsonBody(objectOf(about, [['submission', objectOf(date, fields.entries(), date)]]));
  },

  netlify,
  forminit,

  /** Writes the form, the submission and its fields, as Formward does; nothing is said by an `ai`. */
  formward: (full, extras) => {
    const { form, submission } = full;
    const about = {
      ...{ formId: form.identifier, formName: form.name, submissionId: idOf(full) },
      ...{ createdAt: submission.createdAt.toISOString(), status: 'new' },
    };
    const fields = objectOf(fieldsAndFiles(full, extras));
    return jsonBody(
      objectOf(membersOf(about), [
        ['fields', fields],
        ['ai', '{}'],
      ]),
    );
  },
  /** Writes what the owner's template says; JSON unless it begins as something else. */
  template: (full, extras) => {
    const { form, submission } = full;
    const fields = new Map<string, string | string[]>();
    for (const { name, text } of submission.texts) {
      const former = fields.get(name);
      fields.set(name, former === undefined ? text : [former, text].flat());
    }
    const { id, name, identifier } = form;
    const text = writeTemplate(extras.template ?? '', {
      form: { id, name, identifier },
      submission: { id: idOf(full), created_at: submission.createdAt.toISOString() },
      fields: Object.fromEntries(fields),
      files: linkedFiles(full, extras),
    });
    const contentType = /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain; charset=utf-8';
    return { text, contentType, headers: {} };
  },
} as const satisfies Record<string, WebhookFormat>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** Their names on pages. */
export const FORMAT_LABELS: Readonly<Record<FormatName, string>> = {
  standard: 'Standard',
  flat: 'Fields only (Formspark)',
  web3forms: 'Web3Forms',
  basin: 'Basin',
  'basin-wrapped': 'Basin, wrapped in data',
  'basin-customerio': 'Basin for Customer.io',
  'basin-form': 'Basin, form-urlencoded',
  formspree: 'Formspree',
  netlify: 'Netlify',
  forminit: 'Forminit',
  formward: 'Formward',
  template: 'A template of your own',
};

function basinFields(full: SubmissionInFull, extras: Extras): string {
  const facts = { id: idOf(full), attachments: attachmentsOf(full, extras) };
  return objectOf(fieldsOf(full), membersOf(facts));
}

function attachmentsOf(full: SubmissionInFull, extras: Extras) {
  return linkedFiles(full, extras).map(({ url }) => ({
    attachment_proxy_url: url,
    public_url: url,
  }));
}
