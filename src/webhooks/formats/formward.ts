import { fieldsAndFiles, membersOf, objectOf } from './fields.js';
import { idOf, jsonBody, type WebhookFormat } from './format.js';

/** Writes the form, the submission and its fields, as Formward does; nothing is said by an `ai`. */
export const formward: WebhookFormat = (full, extras) => {
  const { form, submission } = full;
  const about = {
    ...{ formId: form.identifier, formName: form.name, submissionId: idOf(full) },
    ...{ createdAt: submission.createdAt.toISOString(), status: 'new' },
  };
  return jsonBody(
    objectOf(membersOf(about), [
      ['fields', objectOf(fieldsAndFiles(full, extras))],
      ['ai', '{}'],
    ]),
  );
};
