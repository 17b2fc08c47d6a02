import type { Mailbox } from '../../platform/config/mailbox.js';

/** A mail to exactly one recipient. */
export interface Message {
  from: Mailbox;
  to: string;
  /** Null: answers go to the From address. */
  replyTo: Mailbox | null;
  /** A UUID: programs show mails with the same one as one conversation, and no others with them. */
  thread?: string;
  /** Address that ends mails of this kind: a page, and by a POST at once (RFC 8058). */
  unsubscribe?: string;
  subject: string;
  text: string;
  html: string;
  /** How it came about without a person (RFC 3834, section 5). */
  automatic: 'auto-generated' | 'auto-replied';
}
