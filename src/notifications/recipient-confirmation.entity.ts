import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Records whether an address has confirmed that it gets the mails of an account's forms. */
@Entity('recipient_confirmations')
export class RecipientConfirmation {
  @PrimaryColumn('int', { name: 'account_id' })
  accountId: number;

  /** The address in lower case, its tag included. */
  @PrimaryColumn('varchar', { name: 'email_key', length: 255 })
  emailKey: string;

  /** Null: not confirmed, so no mails of forms go there. */
  @Column('datetime', { name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** When a mail last asked the address; null when none did. */
  @Column('datetime', { name: 'asked_at', precision: 3, nullable: true })
  askedAt: Date | null;

  static keyOf(email: string): string {
    return email.toLowerCase();
  }
}
