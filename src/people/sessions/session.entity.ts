import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey, Expires } from '../../platform/database/index.js';
import { makeUuid, hashSecret, DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/index.js';

/**
 * Longest life of a session without use, and in all, in milliseconds. A week spares people who come every
 * few days the sign-in; a month bounds the use of a stolen cookie. A shared device gets hours.
 */
const LIFETIMES = {
  own: { idleMs: 7 * DAY_MS, absoluteMs: 30 * DAY_MS },
  shared: { idleMs: HOUR_MS, absoluteMs: 12 * HOUR_MS },
};
/** Resolution of `last_seen_at` in milliseconds: later uses within it are not written. */
const LAST_SEEN_RESOLUTION_MS = 5 * MINUTE_MS;
/** Age up to which a proof opens pages that change how a person signs in: enough for several changes in a row. */
const PROOF_LASTS_MS = 10 * MINUTE_MS;
/** Life of a session that waits for a second factor: enough to look for the telephone. */
const SECOND_STEP_MS = 10 * MINUTE_MS;
const USER_AGENT_MAX = 255;

/** The way in which a person signed in. */
export type SignInWay = 'password' | 'passkey' | 'link' | 'oidc' | 'setup' | 'invitation';

/** The browser that a sign-in came from. */
export interface Device {
  address: string;
  userAgent: string;
  /** Whether others use the device too; the session is short then. */
  isShared: boolean;
}

/** Lets a browser act for a person who signed in. Only a hash of the cookie's secret is stored. */
@Expires<Session>('expiresAt')
@Entity('sessions')
@Index('uq_sessions_digest', ['digest'], { unique: true })
@Index('ix_sessions_person', ['personId', 'id'])
@Index('ix_sessions_expiry', ['expiresAt'])
export class Session {
  @UuidKey() id: Buffer;
  @Column('binary', { length: 32 }) digest: Buffer;
  @Column('int') personId: number;
  /** The membership that the person acts under at the moment; null for none. */
  @Column('int', { nullable: true }) membershipId: number | null;
  /** The membership that an owner looks through at the moment, only reading; null for none. */
  @Column('int', { nullable: true }) viewedMembershipId: number | null;
  @Column('varchar', { length: 16 }) way: SignInWay;
  @Column('boolean') isSharedDevice: boolean;
  @Column('varchar', { length: 45 }) address: string;
  @Column('varchar', { length: USER_AGENT_MAX }) userAgent: string;
  @Time() createdAt: Date;
  @Time() lastSeenAt: Date;
  /** When the person last showed a password or second factor; null while the second factor is missing. */
  @Time({ nullable: true }) provedAt: Date | null;
  /** End of the session, however much it is used. */
  @Time() expiresAt: Date;

  static begin(
    personId: number,
    membershipId: number | null,
    way: SignInWay,
    { address, userAgent, isShared }: Device,
    secret: string,
    now: Date,
    isProved: boolean,
  ): Session {
    const { absoluteMs } = isShared ? LIFETIMES.shared : LIFETIMES.own;
    const lifetimeMs = isProved ? absoluteMs : SECOND_STEP_MS;
    return Object.assign(new Session(), {
      id: makeUuid(),
      digest: hashSecret(secret),
      personId,
      membershipId,
      viewedMembershipId: null,
      way,
      isSharedDevice: isShared,
      address,
      userAgent: userAgent.slice(0, USER_AGENT_MAX),
      createdAt: now,
      lastSeenAt: now,
      provedAt: isProved ? now : null,
      expiresAt: new Date(now.getTime() + lifetimeMs),
    });
  }

  /** Tells whether the last proof is younger than ten minutes. */
  isFresh(now: Date) {
    return this.provedAt !== null && now.getTime() - this.provedAt.getTime() < PROOF_LASTS_MS;
  }

  /** Tells whether the person may set a password without the former one, having signed in by mail. */
  mayReplacePassword(now: Date) {
    return this.way === 'link' && this.isFresh(now);
  }

  isOver(now: Date) {
    const { idleMs } = this.isSharedDevice ? LIFETIMES.shared : LIFETIMES.own;
    return this.expiresAt <= now || now.getTime() - this.lastSeenAt.getTime() >= idleMs;
  }

  /** Tells whether this use should be stored. */
  wasSeenLongAgo(now: Date) {
    return now.getTime() - this.lastSeenAt.getTime() >= LAST_SEEN_RESOLUTION_MS;
  }

  /** Returns how many whole seconds a browser keeps the cookie; null until it is closed. */
  get maxAgeSeconds(): number | null {
    if (this.isSharedDevice) return null;
    return Math.floor((this.expiresAt.getTime() - this.createdAt.getTime()) / 1_000);
  }
}
