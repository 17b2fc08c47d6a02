import { sentSubmissionJson } from '../../submissions/dto/submission-json.js';
import { jsonBody, type WebhookFormat } from './format.js';

/** Writes the form and the submission under `data`, as JSON text, so that the values keep their order. */
export const standard: WebhookFormat = (full, { fileLinks }) => {
  const { id, name, identifier } = full.form;
  const timestamp = JSON.stringify(full.submission.createdAt.toISOString());
  const form = JSON.stringify({ id, name, identifier });
  const submission = sentSubmissionJson(full, fileLinks);
  return jsonBody(
    `{"type":"submission.received","timestamp":${timestamp},"data":{"form":${form},"submission":${submission}}}`,
  );
};
