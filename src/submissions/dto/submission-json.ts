import type { OptInState } from '../../deliveries/model/outcome.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { formatUuid } from '../../platform/index.js';
import type { Submission } from '../model/submission.entity.js';
import { SubmittedValues } from '../model/submitted-values.js';

/** Public fields of a submission. */
type ShownSubmission = Pick<Submission, 'id' | 'payload' | 'origin' | 'trash' | 'spam' | 'spamReason'> & {
  createdAt: Pick<Date, 'toISOString'>;
};

/** A submission as it is shown, with its files; of its form, the address. */
export interface Shown {
  form: { identifier: string };
  submission: ShownSubmission;
  files: readonly SubmittedFile[];
  /** Whether its visitor confirmed it; absent where nobody was asked. Tables show it, JSON does not. */
  confirmation?: OptInState;
}

/**
 * Writes a submission as JSON text, as the API and the exports show it.
 * @param baseUrl of this service
 */
export function submissionJson({ form, submission, files }: Shown, baseUrl: string) {
  const formUrl = `${baseUrl}/api/v1/forms/${form.identifier}`;
  const id = formatUuid(submission.id);
  const { trash, spam, spamReason } = submission;
  const formJson = JSON.stringify(formUrl);
  const about = `"url":${formJson.slice(0, -1)}/submissions/${id}","form_url":${formJson},"trash":${trash},"spam":${spam},"spam_reason":${textJson(spamReason)},`;
  return jsonOf(id, submission, about, files, (file) => `${formUrl}/submissions/${id}/files/${formatUuid(file.id)}`);
}

/**
 * Writes a submission as JSON text, as programs are sent it.
 * @param fileLinks one for each file, in order
 */
export function sentSubmissionJson(
  { submission, files }: Pick<Shown, 'submission' | 'files'>,
  fileLinks: readonly string[],
) {
  return jsonOf(formatUuid(submission.id), submission, '', files, (_, index) => fileLinks[index]);
}

/**
 * Returns a submission as JSON text. The framework does not write it, since a JavaScript object would
 * reorder fields whose names look like numbers, and round large numbers; nor is it made of objects, which takes an
 * export several times as long.
 * @param about members that stand before the files, each with a comma behind it
 */
function jsonOf(
  id: string,
  { createdAt, payload, origin }: ShownSubmission,
  about: string,
  files: readonly SubmittedFile[],
  urlOf: (file: SubmittedFile, index: number) => string | undefined,
) {
  const shown = files.map((file, index) => ({
    id: formatUuid(file.id),
    field: file.field,
    name: file.name,
    type: file.mediaType,
    size: file.size,
    sha256: file.sha256.toString('hex'),
    url: urlOf(file, index),
  }));
  const filesJson = shown.length === 0 ? '[]' : JSON.stringify(shown);
  return `{"id":"${id}","created_at":"${createdAt.toISOString()}","values":${SubmittedValues.jsonOf(payload)},${about}"files":${filesJson},"origin":${textJson(origin)}}`;
}

function textJson(text: string | null) {
  return text === null ? 'null' : JSON.stringify(text);
}
