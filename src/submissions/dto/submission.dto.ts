import type { SubmittedFile } from '../../files/submitted-file.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../submissions.service.js';

/** A file that came with a submission. */
export class SubmissionFileDto {
  id: string;
  /** Name of the form's field. */
  field: string;
  /** Name on the visitor's machine; not to be used as a path. */
  name: string;
  /** What the browser said it is; not to be believed. */
  type: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
  /** Where to download it, with a token. */
  url: string;

  static of(file: SubmittedFile, submissionUrl: string): SubmissionFileDto {
    const id = formatUuid(file.id);
    return {
      id,
      field: file.field,
      name: file.name,
      type: file.mediaType,
      size: file.size,
      sha256: file.sha256.toString('hex'),
      url: `${submissionUrl}/files/${id}`,
    };
  }
}

/** What a visitor sent through a form. */
export class SubmissionDto {
  /** A UUID that rises with time. */
  id: string;
  /** When it was received, ISO 8601 in UTC. */
  created_at: string;
  /** What was sent, by field: a text, or a list where a field was sent several times; JSON bodies keep their nesting. */
  values: Record<string, unknown>;
  /** Address of this submission in the API. */
  url: string;
  /** Address of its form in the API. */
  form_url: string;
  trash: boolean;
  spam: boolean;
  /** Why it is spam; null when it is not. */
  spam_reason: string | null;
  files: SubmissionFileDto[];
  /** Origin of the page it was sent from; null when the browser did not say. */
  origin: string | null;

  /**
   * Returns the submission as JSON text. JSON.stringify cannot write it: an object would reorder fields whose
   * names look like numbers, and round large numbers.
   */
  static toJson({ form, submission, files }: SubmissionInFull, baseUrl: string): string {
    const id = formatUuid(submission.id);
    const formUrl = `${baseUrl}/api/v1/forms/${form.identifier}`;
    const url = `${formUrl}/submissions/${id}`;
    const head = JSON.stringify({ id, created_at: submission.createdAt.toISOString() });
    const tail = JSON.stringify({
      url,
      form_url: formUrl,
      trash: submission.trash,
      spam: submission.spam,
      spam_reason: submission.spamReason,
      files: files.map((file) => SubmissionFileDto.of(file, url)),
      origin: submission.origin,
    });
    return `${head.slice(0, -1)},"values":${submission.values.toJson()},${tail.slice(1)}`;
  }
}
