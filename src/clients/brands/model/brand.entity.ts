import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FormSettings } from '../../../forms/model/form-settings.js';
import type { Mailbox } from '../../../platform/index.js';

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
  @PrimaryColumn('int') accountId: number;
  @Column('varchar', { length: 32, nullable: true }) colour: string | null;
  @Column('varchar', { length: 255, nullable: true }) replyTo: string | null;
  /** SHA-256 of the logo, which is its address; null without one. */
  @Column('binary', { length: 32, nullable: true }) logoDigest: Buffer | null;
  /** The logo's media type, as its first bytes say. */
  @Column('varchar', { length: 16, nullable: true }) logoType: string | null;
  @Column('mediumblob', { nullable: true, select: false }) logo: Buffer | null;

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

/** Longest name, in characters. */
export const CLIENT_BRAND_NAME_MAX = 255;

/** A client's own mail server. */
export interface ClientServer {
  clientId: number;
  host: string;
  /** Its address with user and password, as `SecretBox` sealed it. */
  sealed: string;
}

/** Whom mails for a client come from. */
export interface ClientSender {
  from: Mailbox;
  /** Null: they go through ours. */
  server: ClientServer | null;
}

/** Stores how a client looks, who sends its mails, and what its new forms begin with. What is null is the account's. */
@Entity('client_brands')
@Index('ix_client_brands_logo', ['logoDigest'])
export class ClientBrand implements BrandDetails {
  @PrimaryColumn('int') clientId: number;
  @Column('varchar', { length: CLIENT_BRAND_NAME_MAX, nullable: true }) name: string | null;
  @Column('varchar', { length: 32, nullable: true }) colour: string | null;
  @Column('varchar', { length: 255, nullable: true }) replyTo: string | null;
  /** SHA-256 of the logo, which is its address; null without one. */
  @Column('binary', { length: 32, nullable: true }) logoDigest: Buffer | null;
  /** The logo's media type, as its first bytes say. */
  @Column('varchar', { length: 16, nullable: true }) logoType: string | null;
  @Column('mediumblob', { nullable: true, select: false }) logo: Buffer | null;
  @Column('varchar', { length: 255, nullable: true }) fromName: string | null;
  /** Null while it has no sender of its own; then it has no mail server either. */
  @Column('varchar', { length: 255, nullable: true }) fromAddress: string | null;
  @Column('varchar', { length: 255, nullable: true }) smtpHost: string | null;
  @Column('mediumtext', { nullable: true }) smtpSealed: string | null;
  /** Settings that its new forms begin with, as JSON; null for ours. */
  @Column('mediumtext', { name: 'form_defaults', nullable: true }) encodedDefaults: string | null;

  static create(clientId: number): ClientBrand {
    return Object.assign(new ClientBrand(), {
      ...{ clientId, name: null, colour: null, replyTo: null },
      ...{ logoDigest: null, logoType: null, logo: null },
      ...{ fromName: null, fromAddress: null, smtpHost: null, smtpSealed: null },
      ...{ encodedDefaults: null },
    });
  }

  get sender(): ClientSender | null {
    const { clientId, fromName, fromAddress, smtpHost: host, smtpSealed: sealed } = this;
    if (fromAddress === null) return null;
    const server = host === null || sealed === null ? null : { clientId, host, sealed };
    return { from: { name: fromName ?? '', address: fromAddress }, server };
  }

  get formDefaults(): Partial<FormSettings> {
    const { encodedDefaults: text } = this;
    return text === null ? {} : (JSON.parse(text) as Partial<FormSettings>);
  }
}
