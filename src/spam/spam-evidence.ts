/** The facts that a submission is judged by, besides the settings of its form. */
export interface SpamEvidence {
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** Origin of the page it was sent from; null when the browser did not send it. */
  origin: string | null;
  /** What was sent, as a person reads it. */
  fields: readonly { name: string; text: string }[];
}
