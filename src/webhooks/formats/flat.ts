import { fieldsAndFiles, objectOf } from './fields.js';
import { jsonBody, type WebhookFormat } from './format.js';

/** Writes the fields and nothing else, as Formspark does. */
export const flat: WebhookFormat = (full, extras) =>
  jsonBody(objectOf(fieldsAndFiles(full, extras)));
