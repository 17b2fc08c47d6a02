import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';

/** Holds what a call says of a submission besides what was sent. */
export interface Extras {
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
}

/** A body as it is sent: its exact text, what it is, and headers that go with it. */
export interface WebhookBody {
  text: string;
  contentType: string;
  headers: Record<string, string>;
}

/** Writes the body of a call about a submission. */
export type WebhookFormat = (full: SubmissionInFull, extras: Extras) => WebhookBody;

/** A file with the link to it. */
export interface LinkedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  url: string;
}

/** Makes a body of JSON text. */
export function jsonBody(text: string, headers: Record<string, string> = {}): WebhookBody {
  return { text, contentType: 'application/json', headers };
}

export function idOf({ submission }: SubmissionInFull): string {
  return formatUuid(submission.id);
}

export function linkedFiles({ files }: SubmissionInFull, { fileLinks }: Extras): LinkedFile[] {
  return files.map(({ field, name, mediaType: type, size }, index) => ({
    ...{ field, name, type, size },
    url: fileLinks[index] ?? '',
  }));
}
