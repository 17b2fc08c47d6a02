import { hook } from '../../platform/index.js';

/** A record of the DNS, as an operator adds it. */
export interface DnsRecord {
  name: string;
  type: 'TXT' | 'PTR';
  value: string;
}

/** Returns a record as one line, as name servers read it. */
export function recordLine({ name, type, value }: DnsRecord) {
  return `${name} ${type} ${type === 'TXT' ? `"${value}"` : value}`;
}

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
  /** Records to add to the DNS, or to put in place of those that are there. */
  records: readonly DnsRecord[];
}

/** Result of a check. */
export type Outcome = Pick<Finding, 'state' | 'detail'> & Partial<Pick<Finding, 'records'>>;

/** Says that all is well. */
export const passes = (detail: string): Outcome => ({ state: 'ok', detail });

/** Says that something may not be as intended. */
export const warns = (detail: string): Outcome => ({ state: 'warning', detail });

/** Says that somebody has to act. */
export const fails = (detail: string): Outcome => ({ state: 'failed', detail });

/** Names a check, and what mends what it finds. */
export interface CheckOf {
  name: string;
  /** Settings that mend what it finds: of the service in capitals, else of the database server. */
  settings: readonly string[];
  /** It asks others, or reads more than a few settings and rows. */
  isSlow?: true;
  /** MendsService mends what it finds. */
  canMend?: true;
}

/**
 * Declares a check of the whole service, which changes nothing. An error that it throws is reported as failed. Its argument
 * is the recipient of a test mail, for the check that can send one; it returns null where it has nothing to check.
 */
export const ChecksService = hook<(mailTo?: string) => Promise<Outcome | null> | Outcome | null, CheckOf>();

/** Declares what mends what a check finds. */
export const MendsService = hook<() => Promise<void>>();

/** Checks one thing of the DNS. */
export interface Check extends CheckOf {
  run(): Promise<Outcome>;
}

/** Writes a moment for operators, such as `2030-01-31 14:00 UTC`. */
export function minuteText(at: Date) {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
