import { fieldsAndFiles, membersOf, objectOf } from './fields.js';
import { jsonBody, type WebhookFormat } from './format.js';

/** Fields that Web3Forms keeps to itself. */
const LEFT_OUT = ['access_key', 'attachment', 'botcheck', 'recaptcha_response'];

/** Writes the fields and the time, as Web3Forms does. */
export const web3forms: WebhookFormat = (full, extras) => {
  const fields = fieldsAndFiles(full, extras);
  for (const name of LEFT_OUT) fields.delete(name);
  const submittedAt = full.submission.createdAt.toISOString();
  return jsonBody(objectOf(fields, membersOf({ submittedAt })), {
    'user-agent': 'Web3Forms/1.0',
  });
};
