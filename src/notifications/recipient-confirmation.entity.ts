import { Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../platform/database/columns.js';

/** Records whether an address has confirmed that it gets the mails of an account's forms. */
@Entity('recipient_confirmations')
export class RecipientConfirmation {
  @PrimaryColumn('int', { name: 'account_id' })
  accountId: number;

  /** The address in lower case, its tag included. */
  @PrimaryColumn('varchar', { name: 'email_key', length: 255 })
  emailKey: string;

  /** Null: not confirmed, so no mails of forms go there. */
  @Time('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  /** When a mail last asked the address; null when none did. */
  @Time('asked_at', { nullable: true })
  askedAt: Date | null;

  static keyOf(email: string): string {
    return email.toLowerCase();
  }
}
