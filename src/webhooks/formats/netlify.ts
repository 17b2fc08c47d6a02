import { isAddressField } from '../../submissions/model/preview.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import {
  fieldsAndFiles,
  membersOf,
  objectOf,
  textOf,
  idOf,
  jsonBody,
  type WebhookFormat,
} from './format.js';

/** Characters of the body that the summary shows. */
const SUMMARY_MAX = 100;
const FULL_NAME = /^(?:full|your)?[ _-]?name$/i;
const FIRST_NAME = /^(?:first[ _-]?name|given[ _-]?name)$/i;
const LAST_NAME = /^(?:last[ _-]?name|family[ _-]?name|surname)$/i;
const COMPANY = /^(?:company|business|organi[sz]ation)(?:[ _-]?name)?$/i;
const BODY = /^(?:body|message|comments?|description|details|feedback|text)$/i;

/** Writes what an outgoing webhook of Netlify Forms has; submissions have no `number` and no `title`. */
export const netlify: WebhookFormat = (full, extras) => {
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
