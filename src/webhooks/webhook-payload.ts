import type { Form } from '../forms/model/form.entity.js';
import { sentSubmissionJson } from '../submissions/dto/submission-json.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';

/**
 * Returns the body of a webhook call as JSON text, so that the values keep their order.
 * @param fileLinks one for each file, in order; they work without a token and expire
 */
export function webhookPayload(full: SubmissionInFull, fileLinks: string[]): string {
  const createdAt = full.submission.createdAt.toISOString();
  return envelope(full.form, createdAt, sentSubmissionJson(full, fileLinks));
}

/** Returns the body of a test call, with an invented submission. */
export function samplePayload(form: Form, now: Date): string {
  const createdAt = now.toISOString();
  const sample = {
    id: '00000000-0000-7000-8000-000000000000',
    created_at: createdAt,
    values: { name: 'Jane Doe', email: 'jane@example.com', message: 'This is a test.' },
    files: [],
    origin: null,
  };
  return envelope(form, createdAt, JSON.stringify(sample));
}

function envelope(form: Form, timestamp: string, submission: string): string {
  const about = JSON.stringify({ id: form.id, name: form.name, identifier: form.identifier });
  return `{"type":"submission.received","timestamp":${JSON.stringify(timestamp)},"data":{"form":${about},"submission":${submission}}}`;
}
