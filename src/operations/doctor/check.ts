/** The result of a check, in words for the operator. */
export interface Finding {
  /** Name of the check, such as `submission counts`. */
  name: string;
  /** `failed` needs action; `warning` may be intended. */
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  /** Settings that mend it: of the service in capitals, else of the database server. */
  settings: readonly string[];
  /** Whether the check can mend it itself, when asked to. */
  canMend: boolean;
}

/** Result of a check. */
export type Outcome = Pick<Finding, 'state' | 'detail'>;

/** Checks one thing; running it changes nothing. An error that it throws is reported as failed. */
export interface Check {
  name: string;
  /** Settings that mend what it finds: of the service in capitals, else of the database server. */
  settings: readonly string[];
  /** @param mailTo recipient of a test mail, for the check that can send one */
  run(mailTo?: string): Promise<Outcome>;
  /** Mends what it finds, for a check that can. */
  mend?(): Promise<void>;
}
