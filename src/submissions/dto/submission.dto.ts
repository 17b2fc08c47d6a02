/** A file that came with a submission. */
export class SubmissionFileDto {
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
   * Submitted values by field: a text, or a list where a field was sent several times; JSON bodies keep their
   * nesting.
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
