import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Time, UuidKey, Uuid, Expires } from '../../platform/database/index.js';
import { makeUuid } from '../../platform/index.js';
import { createHash } from 'node:crypto';

/** A new passkey from an authenticator, once checked. */
export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  userHandle: Buffer;
  uses: number;
  transports: string;
}

/** Returns what a passkey is found by: the SHA-256 of its credential id. */
export function digestOfCredential(credentialId: Buffer): Buffer {
  return createHash('sha256').update(credentialId).digest();
}

/** Ties a person to what an OpenID Connect provider knows them by. */
@Entity('identities')
@Index('uq_identities_subject', ['issuer', 'subject'], { unique: true })
@Index('ix_identities_person', ['personId', 'id'])
export class Identity {
  @UuidKey() id: Buffer;
  @Column('int') personId: number;
  @Column('varchar', { length: 255 }) issuer: string;
  /** The provider's name for the person, at most 255 characters (OpenID Connect Core 1.0, section 2). */
  @Column('varchar', { length: 255 }) subject: string;
  /** The address that the provider named when the two were tied; for people to tell identities apart. */
  @Column('varchar', { length: 255, nullable: true }) email: string | null;
  @Time() createdAt: Date;

  static link(
    personId: number,
    { issuer, subject, email }: { issuer: string; subject: string; email: string | null },
    now: Date,
  ): Identity {
    const id = makeUuid();
    return Object.assign(new Identity(), { id, personId, issuer, subject, email, createdAt: now });
  }
}

/** Stores the public key of a passkey; a device or a password manager keeps the private one. */
@Entity('passkeys')
@Index('uq_passkeys_digest', ['digest'], { unique: true })
@Index('ix_passkeys_person', ['personId', 'id'])
export class Passkey {
  @UuidKey() id: Buffer;
  @Column('int') personId: number;
  @Column('varchar', { length: 255 }) name: string;
  /** SHA-256 of the credential id, which is too long for a unique index. */
  @Column('binary', { length: 32 }) digest: Buffer;
  /** Id of the credential, up to 1,023 bytes (WebAuthn level 3, section 4). */
  @Column('blob') credentialId: Buffer;
  /** Public key in the format of COSE. */
  @Column('blob') publicKey: Buffer;
  /** Id of the person for authenticators, the same for all passkeys of a person. */
  @Uuid() userHandle: Buffer;
  /** Uses that the authenticator counted, 32 bits; 0 for those that count nothing. */
  @Column('bigint', { transformer: { from: Number, to: (uses: number) => uses } }) uses: number;
  /** Comma-separated ways to reach the authenticator, such as `internal,hybrid`. */
  @Column('varchar', { length: 128 }) transports: string;
  @Time() createdAt: Date;
  @Time({ nullable: true }) lastUsedAt: Date | null;

  static create(personId: number, name: string, made: NewPasskey, now: Date): Passkey {
    return Object.assign(new Passkey(), {
      ...made,
      id: makeUuid(),
      personId,
      name,
      digest: digestOfCredential(made.credentialId),
      createdAt: now,
      lastUsedAt: null,
    });
  }
}

/** Notes that a challenge was answered, until it would have expired: no instance takes it again. */
@Expires<UsedChallenge>('expiresAt')
@Entity('used_challenges')
@Index('ix_used_challenges_expiry', ['expiresAt'])
export class UsedChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn('binary', { length: 32 }) digest: Buffer;
  @Time() expiresAt: Date;
}

/** Replaces a code of the authenticator app, once. Only a hash is stored; using the code removes the row. */
@Entity('recovery_codes')
@Index('ix_recovery_codes_person', ['personId'])
export class RecoveryCode {
  /** SHA-256 of person and code. */
  @PrimaryColumn('binary', { length: 32 }) digest: Buffer;
  @Column('int') personId: number;
}
