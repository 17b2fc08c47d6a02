import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';
import { RIGHTS, RIGHTS_OF_CLIENTS, type Right } from '../access/index.js';
import { hashSecret } from '../../platform/index.js';
import { ExpiryExceeded, RightsExceeded } from './token.errors.js';

/** Resolution of `last_used_at` in milliseconds: later uses within it are not written. */
const LAST_USED_RESOLUTION_MS = 10 * 60 * 1000;

/** The terms of a new token. */
export interface TokenTerms {
  name: string;
  /** Empty for every right. */
  rights: Right[];
  expiresAt: Date | null;
  /** Null for the account itself. */
  clientId: number | null;
}

/** Lets its holder act for an account, or for one client of it. Only a hash of the secret is stored. */
@Entity('tokens')
@Index('ix_tokens_account', ['accountId'])
@Index('uq_tokens_digest', ['digest'], { unique: true })
export class Token {
  @PrimaryGeneratedColumn() id: number;
  @Column('int') accountId: number;
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 255 }) name: string;
  @Column('binary', { length: 32 }) digest: Buffer;
  /** Comma-separated; null for every right of this and later versions. */
  @Column('varchar', { name: 'rights', length: 255, nullable: true }) private grantedRights: string | null;
  @Time() createdAt: Date;
  @Time({ nullable: true }) expiresAt: Date | null;
  @Time({ nullable: true }) lastUsedAt: Date | null;

  static issue(accountId: number, terms: TokenTerms, secret: string, now: Date): Token {
    const { name, rights, expiresAt, clientId } = terms;
    return Object.assign(new Token(), {
      accountId,
      clientId,
      name,
      digest: hashSecret(secret),
      grantedRights: rights.length === 0 ? null : rights.join(','),
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
    });
  }

  get rights(): readonly Right[] {
    return Token.rightsOf(this.grantedRights?.split(',') ?? [], this.clientId);
  }

  /** Returns the rights of a list; an empty list means every right, of a client every one that it has unasked. */
  static rightsOf(listed: readonly string[], clientId: number | null): readonly Right[] {
    if (listed.length === 0) return clientId === null ? RIGHTS : RIGHTS_OF_CLIENTS;
    return RIGHTS.filter((right) => listed.includes(right));
  }

  /**
   * Refuses terms that go beyond this token's: a right it lacks, rights that later versions add
   * when it has a list of its own, or a later end.
   * @throws RightsExceeded, ExpiryExceeded
   */
  assertMayIssue({ rights, expiresAt, clientId }: TokenTerms) {
    const lacking = Token.rightsOf(rights, clientId).filter((right) => !this.rights.includes(right));
    const wantsLaterOnes = rights.length === 0 && this.grantedRights !== null;
    if (lacking.length > 0 || wantsLaterOnes) throw new RightsExceeded(lacking);
    if (this.expiresAt !== null && (expiresAt === null || expiresAt > this.expiresAt)) {
      throw new ExpiryExceeded(this.expiresAt);
    }
  }

  isExpired(now: Date) {
    return this.expiresAt !== null && this.expiresAt <= now;
  }

  /** Tells whether this use should be stored. */
  usedLongAgo(now: Date) {
    const last = this.lastUsedAt?.getTime() ?? 0;
    return now.getTime() - last >= LAST_USED_RESOLUTION_MS;
  }
}
