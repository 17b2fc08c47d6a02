import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/clock.js';
import { hashSecret, isPlausibleSecret, mintSecret } from '../platform/kernel/token-secret.js';
import { Session, type Device, type SignInWay } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session together with the secret for the cookie: the only time the secret is known. */
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
    private readonly clock: Clock,
  ) {}

  /**
   * Begins a session, within the transaction of the sign-in.
   * @param isProved false while the second factor is missing: then it opens nothing, and ends soon
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
    const now = this.clock.now();
    const session = Session.begin(personId, membershipId, way, device, secret, now, isProved);
    await this.sessions.in(tx).insert(session);
    return { session, secret };
  }

  /** The session of this secret, or null when it is unknown, ended or over. */
  async recognise(secret: string): Promise<Session | null> {
    if (!isPlausibleSecret(secret)) return null;
    const session = await this.sessions.findByDigest(hashSecret(secret));
    const now = this.clock.now();
    if (!session || session.isOver(now)) return null;
    if (session.wasSeenLongAgo(now)) this.touch(session, now);
    return session;
  }

  /** Notes that the person showed once more who they are; the secret is a new one. */
  async renew(tx: EntityManager, session: Session): Promise<BegunSession> {
    const secret = mintSecret();
    const changes = { digest: hashSecret(secret), provedAt: this.clock.now() };
    await this.sessions.in(tx).update(session.id, changes);
    return { session: Object.assign(session, changes), secret };
  }

  /** The sessions of a person that are not over, newest first. */
  async list(personId: number): Promise<Session[]> {
    const now = this.clock.now();
    const sessions = await this.sessions.listFor(personId);
    return sessions.filter((session) => !session.isOver(now));
  }

  /** Whether the person signed in from this address before, and not long ago. */
  isKnownAddress(personId: number, address: string): Promise<boolean> {
    return this.sessions.hasFrom(personId, address);
  }

  /** Goes on in another account or client. */
  async switchTo(tx: EntityManager, session: Session, membershipId: number): Promise<void> {
    await this.sessions.in(tx).update(session.id, { membershipId });
  }

  /** @throws SessionNotFound when the person has no such session */
  end(tx: EntityManager, personId: number, id: Buffer): Promise<void> {
    return this.sessions.in(tx).remove(personId, id);
  }

  /** Ends the sessions of a person. @param but the one that stays, if any */
  endAllOf(tx: EntityManager, personId: number, but: Buffer | null = null): Promise<void> {
    return this.sessions.in(tx).removeAllOf(personId, but);
  }

  /** Removes what is past its end. Returns how many there were. */
  async forgetOld(now: Date, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    while (!signal?.aborted) {
      const more = await this.unitOfWork.run((tx) => this.sessions.in(tx).removeExpired(now));
      if (more === 0) return removed;
      removed += more;
    }
    return removed;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.writing);
  }

  /** Beside the request: nobody waits for it, and nobody is refused when it fails. */
  private touch(session: Session, now: Date): void {
    const done = this.unitOfWork
      .run((tx) => this.sessions.in(tx).update(session.id, { lastSeenAt: now }))
      .catch((error: unknown) => {
        this.logger.warn('The last use of a session was not noted', { error });
      })
      .finally(() => this.writing.delete(done));
    this.writing.add(done);
  }
}
