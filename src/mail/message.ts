import type { Mailbox } from '../platform/config/mailbox.js';

/** A mail to exactly one recipient. */
export interface Message {
  from: Mailbox;
  to: string;
  /** Null: answers go to the sender. */
  replyTo: Mailbox | null;
  subject: string;
  text: string;
  html: string;
  /** How it came about without a person's doing (RFC 3834, section 5). */
  automatic: 'auto-generated' | 'auto-replied';
}
