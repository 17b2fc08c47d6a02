import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import type { Submission } from './submission.entity.js';
import type { SubmissionInFull } from './submissions.service.js';

/** What is shown of a submission; of its form, the address. */
type Shown = Pick<SubmissionInFull, 'submission' | 'files'> & { form: { identifier: string } };

/**
 * Writes a submission as JSON text, as the API and the exports show it.
 * @param baseUrl of this service
 */
export function submissionJson({ form, submission, files }: Shown, baseUrl: string): string {
  const formUrl = `${baseUrl}/api/v1/forms/${form.identifier}`;
  const url = `${formUrl}/submissions/${formatUuid(submission.id)}`;
  const { trash, spam, spamReason } = submission;
  const about = { url, form_url: formUrl, trash, spam, spam_reason: spamReason };
  return jsonOf(submission, about, files, ({ id }) => `${url}/files/${formatUuid(id)}`);
}

/**
 * Writes a submission as JSON text, as programs are sent it.
 * @param fileLinks one for each file, in order
 */
export function sentSubmissionJson(
  { submission, files }: Pick<SubmissionInFull, 'submission' | 'files'>,
  fileLinks: readonly string[],
): string {
  return jsonOf(submission, {}, files, (_, index) => fileLinks[index]);
}

/**
 * Returns a submission as JSON text. The framework does not write it, since a JavaScript object would
 * reorder fields
 * whose names look like numbers, and round large numbers.
 */
function jsonOf(
  { id, createdAt, values, origin }: Submission,
  about: object,
  files: readonly SubmittedFile[],
  urlOf: (file: SubmittedFile, index: number) => string | undefined,
): string {
  const head = JSON.stringify({ id: formatUuid(id), created_at: createdAt.toISOString() });
  const shown = files.map((file, index) => ({
    id: formatUuid(file.id),
    field: file.field,
    name: file.name,
    type: file.mediaType,
    size: file.size,
    sha256: file.sha256.toString('hex'),
    url: urlOf(file, index),
  }));
  const tail = JSON.stringify({ ...about, files: shown, origin });
  return `${head.slice(0, -1)},"values":${values.toJson()},${tail.slice(1)}`;
}
