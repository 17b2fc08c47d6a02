import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/index.js';
import { hashSecret, isPlausibleSecret, mintSecret } from '../../platform/index.js';
import { Session, type Device, type SignInWay } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session and the secret for its cookie, which is known only now. */
export interface BegunSession {
  session: Session;
  secret: string;
}

/** Begins, recognises and ends sessions. */
@Injectable()
export class SessionsService implements OnModuleDestroy {
  private readonly logger = new Logger(SessionsService.name);
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Begins a session, within the transaction of the sign-in.
   * @param isProved false while the second factor is missing: the session then opens no page and ends soon
   */
  async begin(
    tx: EntityManager,
    personId: number,
    membershipId: number | null,
    way: SignInWay,
    device: Device,
    isProved = true,
  ): Promise<BegunSession> {
    const secret = mintSecret();
    const now = this.unitOfWork.now();
    const session = Session.begin(personId, membershipId, way, device, secret, now, isProved);
    await this.sessions.in(tx).insert(session);
    return { session, secret };
  }

  /**
   * Returns the session of this secret; null when it is unknown, was ended or has expired.
   * @param isUse false leaves it as idle as it is
   */
  async recognise(secret: string, isUse = true): Promise<Session | null> {
    if (!isPlausibleSecret(secret)) return null;
    const session = await this.sessions.findByDigest(hashSecret(secret));
    const now = this.unitOfWork.now();
    if (!session || session.isOver(now)) return null;
    if (isUse && session.wasSeenLongAgo(now)) this.touch(session, now);
    return session;
  }

  /** Stores that the person showed their password again, and gives the session a new secret. */
  async renew(tx: EntityManager, session: Session): Promise<BegunSession> {
    const secret = mintSecret();
    const changes = { digest: hashSecret(secret), provedAt: this.unitOfWork.now() };
    await this.sessions.in(tx).update(session.id, changes);
    return { session: Object.assign(session, changes), secret };
  }

  /** Returns the sessions of a person that have not expired, newest first. */
  async list(personId: number): Promise<Session[]> {
    const now = this.unitOfWork.now();
    const sessions = await this.sessions.listFor(personId);
    return sessions.filter((session) => !session.isOver(now));
  }

  /** Tells whether a session of the person that began at this address is still stored, for a month at most. */
  isKnownAddress(personId: number, address: string) {
    return this.sessions.hasFrom(personId, address);
  }

  /** Makes the person act under another of their memberships. */
  async switchTo(tx: EntityManager, session: Session, membershipId: number) {
    await this.sessions.in(tx).update(session.id, { membershipId });
  }

  /** Makes the person look through another's membership. */
  async beginView(tx: EntityManager, session: Session, viewedMembershipId: number) {
    await this.sessions.in(tx).update(session.id, { viewedMembershipId });
  }

  /** Ends that. @returns false when another request has ended it meanwhile */
  async endView(tx: EntityManager, { id, viewedMembershipId }: Session) {
    return viewedMembershipId !== null && this.sessions.in(tx).endView(id, viewedMembershipId);
  }

  /** @throws SessionNotFound when the person has no such session */
  end(tx: EntityManager, personId: number, id: Buffer) {
    return this.sessions.in(tx).remove(personId, id);
  }

  /** Ends the sessions of a person. @param but id of the session that stays */
  endAllOf(tx: EntityManager, personId: number, but: Buffer | null = null) {
    return this.sessions.in(tx).removeAllOf(personId, but);
  }

  async onModuleDestroy() {
    await Promise.all(this.writing);
  }

  /** Stores the use in the background: no request waits for it or fails with it. */
  private touch(session: Session, now: Date) {
    const done = this.unitOfWork
      .run((tx) => this.sessions.in(tx).update(session.id, { lastSeenAt: now }))
      .catch((error: unknown) => {
        this.logger.warn('The last use of a session was not stored', { error });
      })
      .finally(() => this.writing.delete(done));
    this.writing.add(done);
  }
}
