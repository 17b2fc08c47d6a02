import { fieldsAndFiles, membersOf, objectOf } from './fields.js';
import { jsonBody, type WebhookFormat } from './format.js';

/** Writes the form, the names of the fields and the submission with its `_date`, as Formspree does. */
export const formspree: WebhookFormat = (full, extras) => {
  const fields = fieldsAndFiles(full, extras);
  const date = JSON.stringify(full.submission.createdAt.toISOString());
  const about = membersOf({ form: full.form.identifier, keys: [...fields.keys()] });
  return jsonBody(
    objectOf(about, [
      ['submission', objectOf([['_date', date]], fields.entries(), [['_date', date]])],
    ]),
  );
};
