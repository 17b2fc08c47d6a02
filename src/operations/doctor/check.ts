/** What a check found, in words for an operator. */
export interface Finding {
  /** What was looked at, such as `submission counts`. */
  name: string;
  /** `failed` needs somebody to act; `warning` may be meant. */
  state: 'ok' | 'warning' | 'failed';
  detail: string;
}

/** Looks at one thing and changes nothing. What it throws is reported as failed. */
export interface Check {
  name: string;
  /** @param mailTo who gets a test mail, for the check that can send one */
  run(mailTo?: string): Promise<Omit<Finding, 'name'>>;
}
