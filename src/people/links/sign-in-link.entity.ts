import type { Action, Role } from '../../accounts/access/index.js';
import { makeUuid, hashSecret } from '../../platform/index.js';
import type { Standing } from '../members/membership.entity.js';
import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey, Expires } from '../../platform/database/index.js';

export type SignInLinkKind = 'invitation' | 'sign_in';

/** Invites a person, or signs one in, by a link that works once. Only a hash of its secret is stored. */
@Expires<SignInLink>('expiresAt')
@Entity('sign_in_links')
@Index('uq_sign_in_links_digest', ['digest'], { unique: true })
@Index('ix_sign_in_links_account', ['accountId', 'id'])
@Index('ix_sign_in_links_expiry', ['expiresAt'])
export class SignInLink {
  @UuidKey() id: Buffer;
  @Column('varchar', { length: 16 }) kind: SignInLinkKind;
  /** SHA-256 of the secret in the link. */
  @Column('binary', { length: 32 }) digest: Buffer;
  @Column('varchar', { length: 255 }) email: string;
  @Column('varchar', { length: 255 }) name: string;
  /** The account of an invitation; null for a sign-in. */
  @Column('int', { nullable: true }) accountId: number | null;
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 16, nullable: true }) role: Role | null;
  /** Actions of a person of a client, comma-separated; null for a member of the account. */
  @Column('varchar', { length: 64, nullable: true }) private actions: string | null;
  /**
   * Whether whoever uses the link has the address: it was mailed and shown to nobody else, or whoever runs the
   * service passed it on.
   */
  @Column('boolean', { name: 'is_mailed' }) provesAddress: boolean;
  /** Name of the person who invites; null for a program, and for a sign-in. */
  @Column('varchar', { length: 255, nullable: true }) inviter: string | null;
  @Time() createdAt: Date;
  @Time() expiresAt: Date;

  static invite(
    accountId: number,
    { email, name }: { email: string; name: string },
    standing: Standing,
    provesAddress: boolean,
    inviter: string | null,
    secret: string,
    now: Date,
    expiresAt: Date,
  ): SignInLink {
    return Object.assign(new SignInLink(), {
      id: makeUuid(),
      kind: 'invitation' as const,
      inviter,
      digest: hashSecret(secret),
      email,
      name,
      accountId,
      clientId: standing.clientId,
      role: standing.clientId === null ? standing.role : null,
      actions: standing.clientId === null ? null : standing.actions.join(','),
      provesAddress,
      createdAt: now,
      expiresAt,
    });
  }

  /** Makes a request to sign in by mail; whether anybody has the address does not matter here. */
  static forSignIn(email: string, secret: string, now: Date, expiresAt: Date): SignInLink {
    return Object.assign(new SignInLink(), {
      id: makeUuid(),
      kind: 'sign_in' as const,
      digest: hashSecret(secret),
      email,
      name: '',
      inviter: null,
      accountId: null,
      clientId: null,
      role: null,
      actions: null,
      provesAddress: true,
      createdAt: now,
      expiresAt,
    });
  }

  /** Returns the role or the actions that the person will have. */
  get standing(): Standing {
    if (this.clientId === null) return { clientId: null, role: this.role ?? 'viewer' };
    return { clientId: this.clientId, actions: (this.actions?.split(',') ?? []) as Action[] };
  }
}
