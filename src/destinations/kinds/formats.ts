import { writeTemplate, formatUuid } from '../../platform/index.js';
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

/** A body of a call about a submission. */
interface Format {
  /** Its name on pages. */
  label: string;
  /** Returns its exact text. */
  write: (full: SubmissionInFull, extras: Extras) => string;
  /** Type of the text; JSON where it is absent. */
  typeOf?: (text: string) => string;
  headers?: Record<string, string>;
}

/** A file with the link to it. */
interface LinkedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  url: string;
}

function idOf({ submission }: SubmissionInFull) {
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
  const files = linkedFiles(full, extras).map((file) => [nameOf(file.field), JSON.stringify(write(file))] as const);
  const fields = full.submission.values.members.map(({ name, json }) => [name, json] as const);
  return collected([...fields, ...files]);
}

/** Writes an object; a member that is given twice has its later value. */
export function objectOf(...members: Iterable<readonly [string, string]>[]) {
  const byName = new Map(members.flatMap((some) => [...some]));
  return `{${[...byName].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** Turns plain values into members. */
function membersOf(plain: object): Members {
  return new Map(Object.entries(plain).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Returns the first value that is filled in, of the fields whose names fit; null when none is. */
function textOf({ submission }: SubmissionInFull, names: RegExp) {
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
    [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : `[${values.join(',')}]`]),
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
function netlify(full: SubmissionInFull, extras: Extras) {
  const { form, submission } = full;
  const fields = fieldsAndFiles(full, extras, ({ name, type, size, url }) => ({
    ...{ filename: name, type, size, url },
  }));
  const source = { ip: submission.address, user_agent: submission.userAgent, referrer: submission.referer };
  const titled = [...fields].map(([name, json]) => [titleOf(name), name, json] as const);
  const human = titled.map(([title, , json]) => [title, json] as const);
  const ordered = titled.map(([title, name, json]) => objectOf(membersOf({ title, name }), [['value', json]]));
  return objectOf(
    membersOf({ id: idOf(full), number: null, title: null, ...personOf(full) }),
    [['data', objectOf(fields, membersOf(source))]],
    membersOf({ created_at: submission.createdAt.toISOString() }),
    [
      ['human_fields', objectOf(human)],
      ['ordered_human_fields', `[${ordered.join(',')}]`],
    ],
    membersOf({ form_id: form.identifier, form_name: form.name, site_url: submission.origin ?? '' }),
  );
}

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
function titleOf(name: string) {
  return name
    .split(/[ _-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
    .trim();
}

/** Fields that say who wrote. */
const SENDER = ['email', 'phone', 'fullName', 'firstName', 'lastName', 'company', 'title'];

/** Writes the event, the form and the fields with the sender, as Forminit does; its files begin with `file-`. */
function forminit(full: SubmissionInFull, extras: Extras) {
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
  return objectOf(membersOf({ event: 'form.submitted', ...about }), [['data', objectOf(fields, membersOf(facts))]]);
}

function senderOf({ submission }: SubmissionInFull): Record<string, string> {
  const said = submission.texts.filter(({ name }) => SENDER.includes(name));
  return Object.fromEntries(said.map(({ name, text }) => [name, text]));
}

/** Writes a time in UTC, such as `05-01-2026 14:30` for the fifth of January. */
function dayAndTime(at: Date) {
  const [, year, month, day, time] = /^(.+)-(..)-(..)T(.{5})/.exec(at.toISOString()) ?? [];
  return `${day}-${month}-${year} ${time}`;
}

/** Fields that Web3Forms keeps to itself. */
const WEB3FORMS_OWN = ['access_key', 'attachment', 'botcheck', 'recaptcha_response'];

/** Bodies that a webhook can be sent, by name: ours, and those that receivers of other providers read. */
export const FORMATS = {
  /** The form and the submission under `data`, as JSON text, so that the values keep their order. */
  standard: {
    label: 'Standard',
    write: (full, { fileLinks }) => {
      const { id, name, identifier } = full.form;
      const timestamp = JSON.stringify(full.submission.createdAt.toISOString());
      const form = JSON.stringify({ id, name, identifier });
      const submission = sentSubmissionJson(full, fileLinks);
      return `{"type":"submission.received","timestamp":${timestamp},"data":{"form":${form},"submission":${submission}}}`;
    },
  },
  /** The fields and nothing else, as of Formspark. */
  flat: { label: 'Fields only (Formspark)', write: (full, extras) => objectOf(fieldsAndFiles(full, extras)) },
  /** The fields and the time, as of Web3Forms. */
  web3forms: {
    label: 'Web3Forms',
    headers: { 'user-agent': 'Web3Forms/1.0' },
    write: (full, extras) => {
      const fields = fieldsAndFiles(full, extras);
      for (const name of WEB3FORMS_OWN) fields.delete(name);
      const submittedAt = full.submission.createdAt.toISOString();
      return objectOf(fields, membersOf({ submittedAt }));
    },
  },
  /** The fields with `id` and `attachments`, as of Basin. */
  basin: { label: 'Basin', write: basinFields },
  'basin-wrapped': {
    label: 'Basin, wrapped in data',
    write: (full, extras) => `{"data":${basinFields(full, extras)}}`,
  },
  /** The fields under `data` with `submission_id`, as Customer.io takes them. */
  'basin-customerio': {
    label: 'Basin for Customer.io',
    write: (full, extras) => `{"data":${basinFields(full, extras, 'submission_id')}}`,
  },
  /** The fields as a page sends a form, each file as its link, and the `id`. */
  'basin-form': {
    label: 'Basin, form-urlencoded',
    typeOf: () => 'application/x-www-form-urlencoded',
    write: (full, extras) => {
      const pairs = full.submission.texts.filter(({ name }) => name !== 'id').map(({ name, text }) => [name, text]);
      const files = linkedFiles(full, extras).map(({ field, url }) => [field, url]);
      return new URLSearchParams([...pairs, ...files, ['id', idOf(full)]]).toString();
    },
  },
  /** The form, the names of the fields and the submission with its `_date`, as of Formspree. */
  formspree: {
    label: 'Formspree',
    write: (full, extras) => {
      const fields = fieldsAndFiles(full, extras);
      const date = [['_date', JSON.stringify(full.submission.createdAt.toISOString())]] as const;
      const about = membersOf({ form: full.form.identifier, keys: [...fields.keys()] });
      return objectOf(about, [['submission', objectOf(date, fields.entries(), date)]]);
    },
  },
  netlify: { label: 'Netlify', write: netlify },
  forminit: { label: 'Forminit', write: forminit },
  /** The form, the submission and its fields, as of Formward; nothing is said by an `ai`. */
  formward: {
    label: 'Formward',
    write: (full, extras) => {
      const { form, submission } = full;
      const about = {
        ...{ formId: form.identifier, formName: form.name, submissionId: idOf(full) },
        ...{ createdAt: submission.createdAt.toISOString(), status: 'new' },
      };
      const fields = objectOf(fieldsAndFiles(full, extras));
      return objectOf(membersOf(about), [
        ['fields', fields],
        ['ai', '{}'],
      ]);
    },
  },
  /** A text by the owner's template; JSON unless it begins as something else. */
  template: {
    label: 'A template of your own',
    typeOf: (text) => (/^\s*[[{]/.test(text) ? JSON_TYPE : 'text/plain; charset=utf-8'),
    write: (full, extras) => {
      const { form, submission } = full;
      const fields = new Map<string, string | string[]>();
      for (const { name, text } of submission.texts) {
        const former = fields.get(name);
        fields.set(name, former === undefined ? text : [former, text].flat());
      }
      const { id, name, identifier } = form;
      return writeTemplate(extras.template ?? '', {
        form: { id, name, identifier },
        submission: { id: idOf(full), created_at: submission.createdAt.toISOString() },
        fields: Object.fromEntries(fields),
        files: linkedFiles(full, extras),
      });
    },
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

const JSON_TYPE = 'application/json';

/** Returns the body of a call, with the headers that go with it. */
export function bodyOf(
  name: FormatName,
  full: SubmissionInFull,
  extras: Extras,
): { body: string; headers: Record<string, string> } {
  const { write, typeOf, headers }: Format = FORMATS[name];
  const body = write(full, extras);
  return { body, headers: { ...headers, 'content-type': typeOf?.(body) ?? JSON_TYPE } };
}

function basinFields(full: SubmissionInFull, extras: Extras, id = 'id') {
  const attachments = linkedFiles(full, extras).map(({ url }) => ({ attachment_proxy_url: url, public_url: url }));
  return objectOf(fieldsOf(full), membersOf({ [id]: idOf(full), attachments }));
}
