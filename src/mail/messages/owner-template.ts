import type { DigestEvery } from '../../deliveries/digests/digest-hour.js';
import type { SentValues } from '../../notifications/notification-planner.js';

/** How a destination wants the mail about a submission; null for what ours says. */
export interface OwnerTemplate {
  /** Returns everybody to whom the mail about these values is, whoever of them this copy goes to. */
  toAbout: (values: SentValues) => string[];
  cc: string[];
  /** Name of the field whose address answers go to. */
  replyToField: string | null;
  subject: string | null;
  body: string | null;
  /** How often a recipient is told of several submissions together; null: of each at once. */
  digest: DigestEvery | null;
  /** Whether files go along, as far as there is room. */
  attaches: boolean;
}

/** How a destination wants its mail, and whether it looks like the account and no client. */
export interface StoredTemplate extends OwnerTemplate {
  isForAccount: boolean;
}

/** Knows the destinations that are mails. */
export interface MailDestinations {
  /** Returns how it wants its mail to a recipient, or why there is none. */
  templateOf(
    accountId: number,
    id: Buffer,
    recipient: string,
  ): Promise<StoredTemplate | 'gone' | 'paused'>;
  nameOf(accountId: number, id: Buffer): Promise<string | null>;
}
