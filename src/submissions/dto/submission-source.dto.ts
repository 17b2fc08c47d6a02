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
  /** The language that the browser prefers, such as `de-ch` (RFC 5646); null when it did not say. */
  language: string | null;
  /** The subject that its page gives to the mails about it, as `_subject`; null when it gives none. */
  subject: string | null;
}
