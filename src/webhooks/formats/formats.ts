import { sentSubmissionJson } from '../../submissions/dto/submission-json.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import {
  fieldsAndFiles,
  fieldsOf,
  idOf,
  jsonBody,
  linkedFiles,
  membersOf,
  objectOf,
  type Extras,
  type WebhookFormat,
} from './format.js';
import { forminit } from './forminit.js';
import { netlify } from './netlify.js';

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
} as const satisfies Record<string, WebhookFormat>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

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
