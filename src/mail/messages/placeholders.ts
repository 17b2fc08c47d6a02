import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';

/** Names by which pages give a subject. */
const SUBJECTS = ['subject', '_subject'];

/** Returns the values of placeholders, such as `name` or `data.name`. The form's name wins over a field called `form.name`. */
export function placeholders({
  form,
  submission,
}: Pick<SubmissionInFull, 'form' | 'submission'>): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, path, text } of submission.lines) {
    const key = [name, ...path].join('.');
    const earlier = values.get(key);
    values.set(key, earlier === undefined ? text : `${earlier}, ${text}`);
  }
  for (const { name, text } of submission.texts) if (!values.has(name)) values.set(name, text);
  // The page gives it as a field, which is no answer.
  if (submission.subject !== null) {
    for (const name of SUBJECTS) if (!values.has(name)) values.set(name, submission.subject);
  }
  return values
    .set('form.name', form.name)
    .set('submission.id', formatUuid(submission.id))
    .set('submission.created_at', submission.createdAt.toISOString());
}
