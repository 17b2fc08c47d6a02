/**
 * How a mail came back. `permanent`: its address takes no mail. `failed`: it was not delivered for another reason, such
 * as a full mailbox. `delayed`: it is still tried. `complaint`: its recipient called it spam.
 */
export type BounceKind = 'permanent' | 'failed' | 'delayed' | 'complaint';

/** A report that a mail came back, or will. */
export interface Bounce {
  /** The delivery that the mail was of. */
  deliveryId: Buffer;
  /** Addresses that the report names for one recipient: that of the mail is among them, or the report is of another. */
  recipients: string[];
  kind: BounceKind;
  /** Reply code of SMTP; null when the report has none. */
  code: number | null;
  /** The words of the receiver. */
  reason: string;
}

/**
 * Statuses that say nothing about the address: a full mailbox, a mail that is too large, its content, or a policy
 * such as one against the sender (RFC 3463).
 */
const NOT_OF_THE_ADDRESS = /^5\.(?:2\.[23]|3\.4|6\.\d+|7\.\d+)$/;
/** A status of RFC 3463, and a reply code of SMTP, each by itself. */
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const REPLY = /(?<![\d.])([245]\d\d)(?![\d.])/;

/**
 * Tells how a mail failed that is not tried any more.
 * @param status such as `5.1.1`; null when the report has none
 * @param reason is searched for a status, or a reply code, when there is none
 */
export function kindOf(status: string | null, reason: string): BounceKind {
  const found = statusIn(reason);
  // A server that only says 5.0.0 often says more in words.
  const known = status === null || /^5\.0\.0$/.test(status) ? (found ?? status) : status;
  if (known !== null) {
    return known.startsWith('5') && !NOT_OF_THE_ADDRESS.test(known) ? 'permanent' : 'failed';
  }
  return codeIn(reason)?.toString().startsWith('5') ? 'permanent' : 'failed';
}

function statusIn(text: string): string | null {
  return STATUS.exec(text)?.[1] ?? null;
}

/** Returns the reply code of SMTP in the words of a receiver; null when they have none. */
export function codeIn(text: string): number | null {
  const found = REPLY.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
