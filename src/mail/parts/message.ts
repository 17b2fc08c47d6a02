import type { Readable } from 'node:stream';
import type { ClientServer } from '../../brands/model/client-brand.entity.js';
import type { Mailbox } from '../../platform/config/mailbox.js';

/** A file that goes along with a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  content: Readable | Buffer;
}

/** A mail to exactly one recipient. */
export interface Message {
  from: Mailbox;
  /** The client's own mail server that it goes through; absent: ours. */
  via?: ClientServer;
  to: string;
  /** Whom the mail names instead of `to`, which is one of them, and who is named as a copy; absent: `to` alone. */
  named?: { to: string[]; cc: string[] };
  attachments?: Attachment[];
  /** Whether its text has links to the attachments, so that it says as much without them. */
  linksAttachments?: true;
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
