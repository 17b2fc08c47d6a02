import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { fieldsOf, membersOf, objectOf } from './fields.js';
import { idOf, jsonBody, linkedFiles, type Extras, type WebhookFormat } from './format.js';

/** Writes the fields with `id` and `attachments`, as Basin does. */
export const basin: WebhookFormat = (full, extras) => jsonBody(fieldsAndFacts(full, extras));

/** Writes the same under `data`. */
export const basinWrapped: WebhookFormat = (full, extras) =>
  jsonBody(`{"data":${fieldsAndFacts(full, extras)}}`);

/** Writes the fields under `data` with `submission_id`, as Customer.io takes them. */
export const basinCustomerio: WebhookFormat = (full, extras) => {
  const facts = { submission_id: idOf(full), attachments: attachmentsOf(full, extras) };
  return jsonBody(`{"data":${objectOf(fieldsOf(full), membersOf(facts))}}`);
};

/** Writes the fields as a page sends a form, each file as its link, and the `id`. */
export const basinForm: WebhookFormat = (full, extras) => {
  const pairs = full.submission.texts
    .filter(({ name }) => name !== 'id')
    .map(({ name, text }) => [name, text]);
  const files = linkedFiles(full, extras).map(({ field, url }) => [field, url]);
  return {
    text: new URLSearchParams([...pairs, ...files, ['id', idOf(full)]]).toString(),
    contentType: 'application/x-www-form-urlencoded',
    headers: {},
  };
};

function fieldsAndFacts(full: SubmissionInFull, extras: Extras): string {
  const facts = { id: idOf(full), attachments: attachmentsOf(full, extras) };
  return objectOf(fieldsOf(full), membersOf(facts));
}

function attachmentsOf(full: SubmissionInFull, extras: Extras) {
  return linkedFiles(full, extras).map(({ url }) => ({
    attachment_proxy_url: url,
    public_url: url,
  }));
}
