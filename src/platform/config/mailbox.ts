import { parseEmailAddress } from '../kernel/text/email-address.js';

/** A sender or recipient of mail. */
export interface Mailbox {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** Reads `forms@example.com` or `Forms <forms@example.com>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', inside = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = parseEmailAddress(inside);
  const plain = name.trim().replace(/^"(.*)"$/, '$1');
  return address === null || /\p{Cc}/u.test(plain) ? null : { name: plain, address };
}
