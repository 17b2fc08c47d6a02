import { Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** Records whether an address has confirmed that it gets the mails of an account's forms. */
@Entity('recipient_confirmations')
export class RecipientConfirmation {
  @PrimaryColumn('int') accountId: number;
  /** The address in lower case, its tag included. */
  @PrimaryColumn('varchar', { length: 255 }) emailKey: string;
  /** Null: not confirmed, so no mails of forms go there. */
  @Time({ nullable: true }) confirmedAt: Date | null;
  /** When a mail last asked the address; null when none did. */
  @Time({ nullable: true }) askedAt: Date | null;

  static keyOf(email: string) {
    return email.toLowerCase();
  }
}
