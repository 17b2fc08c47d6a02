import { asked } from '../../platform/http/index.js';
import { Flag, Optional } from '../../platform/index.js';

/** Where a submission came from, as far as it is kept. */
export class SubmissionSourceDto {
  /** Origin of the page; null when the browser did not say. */
  origin: string | null;
  /** The page itself; null when the browser did not say. */
  referer: string | null;
  user_agent: string | null;
  /** As much of the visitor's address as STORE_IP allows. */
  address: string | null;
  /** Two letters (ISO 3166-1), as the proxy says by `COUNTRY_HEADER`; null when it does not. */
  country: string | null;
  /** The language of the page, or the one that the browser prefers, such as `de-ch` (RFC 5646); null when neither is known. */
  language: string | null;
  /** The subject that its page gives to the mails about it, as `_subject`; null when it gives none. */
  subject: string | null;
}

/** A file that came with a submission. */
class SubmissionFileDto {
  id: string;
  /** Name of the form's field. */
  field: string;
  /** Name on the visitor's machine; not to be used as a path. */
  name: string;
  /** Media type that the browser sent; not to be trusted. */
  type: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
  /** Where to download it, with a token. */
  url: string;
}

/** A submission of a visitor. */
export class SubmissionDto {
  /** A UUID that rises with time. */
  id: string;
  /** When it was received, ISO 8601 in UTC. */
  created_at: string;
  /**
   * Submitted values by field: a text, or a list where a field was sent several times; JSON bodies keep their nesting.
   */
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
}

/** The marks of a submission. Absent: stays as it is. */
class SubmissionMarksDto {
  /** Whether it is spam; the count follows. */
  @Flag()
  @Optional()
  spam?: boolean;

  /** Whether it is in the trash; the count follows. */
  @Flag()
  @Optional()
  trash?: boolean;
}

export class ChangeSubmissionDto extends asked('submission', SubmissionMarksDto) {}
