import { formatUuid } from '../platform/kernel/uuid.js';
import type { Form } from '../forms/form.entity.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';

/**
 * The body of a webhook call as JSON text; written here so that the values keep their order.
 * @param fileLinks one for each file, in order; they work without a token and expire
 */
export function webhookPayload(
  { form, submission, files }: SubmissionInFull,
  fileLinks: string[],
): string {
  const createdAt = submission.createdAt.toISOString();
  const head = JSON.stringify({ id: formatUuid(submission.id), created_at: createdAt });
  const tail = JSON.stringify({
    files: files.map((file, index) => ({
      id: formatUuid(file.id),
      field: file.field,
      name: file.name,
      type: file.mediaType,
      size: file.size,
      sha256: file.sha256.toString('hex'),
      url: fileLinks[index],
    })),
    origin: submission.origin,
  });
  const body = `${head.slice(0, -1)},"values":${submission.values.toJson()},${tail.slice(1)}`;
  return envelope(form, createdAt, body);
}

/** What a test call carries: a made-up submission. */
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
