import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The part of a brand that its owner can change beside the logo. */
export interface BrandDetails {
  /** A colour that `parseColour` has passed. */
  colour: string | null;
  /** Where answers to mails to visitors go. */
  replyTo: string | null;
}

/** Stores how an account looks to its clients and to visitors. */
@Entity('account_brands')
@Index('ix_account_brands_logo', ['logoDigest'])
export class AccountBrand implements BrandDetails {
  @PrimaryColumn('int', { name: 'account_id' })
  accountId: number;

  @Column('varchar', { name: 'colour', length: 32, nullable: true })
  colour: string | null;

  @Column('varchar', { name: 'reply_to', length: 255, nullable: true })
  replyTo: string | null;

  /** SHA-256 of the logo, which is its address; null without one. */
  @Column('binary', { name: 'logo_digest', length: 32, nullable: true })
  logoDigest: Buffer | null;

  /** The logo's media type, as its first bytes say. */
  @Column('varchar', { name: 'logo_type', length: 16, nullable: true })
  logoType: string | null;

  @Column('mediumblob', { name: 'logo', nullable: true, select: false })
  logo: Buffer | null;

  static create(accountId: number): AccountBrand {
    return Object.assign(new AccountBrand(), {
      accountId,
      colour: null,
      replyTo: null,
      logoDigest: null,
      logoType: null,
      logo: null,
    });
  }
}
