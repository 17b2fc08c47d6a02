import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import {
  fieldsAndFiles,
  membersOf,
  objectOf,
  idOf,
  jsonBody,
  type WebhookFormat,
} from './format.js';

/** Fields that say who wrote. */
const SENDER = ['email', 'phone', 'fullName', 'firstName', 'lastName', 'company', 'title'];

/** Writes the event, the form and the fields with the sender, as Forminit does; its files begin with `file-`. */
export const forminit: WebhookFormat = (full, extras) => {
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
