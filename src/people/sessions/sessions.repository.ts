import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { TransactionalRepository, selectEntities } from '../../platform/database/index.js';
import { Session } from './session.entity.js';
import { NotFoundError, fact } from '../../platform/index.js';

class SessionNotFound extends fact(NotFoundError, 'session_not_found', 'Session not found.') {}

/** Reads and writes sessions. */
@Injectable()
export class SessionsRepository extends TransactionalRepository {
  private readonly sessions = this.rowsOf(Session);

  async findByDigest(digest: Buffer): Promise<Session | null> {
    const [found = null] = await selectEntities(this.source, Session, { digest });
    return found;
  }

  /** Returns the sessions of a person, newest first, without those that wait for a second factor. */
  listFor(personId: number): Promise<Session[]> {
    return this.sessions.find({ where: { personId, provedAt: Not(IsNull()) }, order: { id: 'DESC' } });
  }

  /** Tells whether any session of the person that is still stored began at this address. */
  hasFrom(personId: number, address: string) {
    return this.sessions.existsBy({ personId, address, provedAt: Not(IsNull()) });
  }

  async insert(session: Session) {
    await this.sessions.insert(session);
  }

  async update(id: Buffer, changes: Partial<Session>) {
    await this.sessions.update({ id }, changes);
  }

  /** Ends the view of a session. @returns whether it was this one still */
  async endView(id: Buffer, viewedMembershipId: number) {
    const ended = { viewedMembershipId: null };
    const { affected } = await this.sessions.update({ id, viewedMembershipId }, ended);
    return affected !== 0;
  }

  /** @throws SessionNotFound */
  async remove(personId: number, id: Buffer) {
    const { affected } = await this.sessions.delete({ personId, id });
    if (affected === 0) throw new SessionNotFound();
  }

  /** @param but id of the session that stays; null to end them all */
  async removeAllOf(personId: number, but: Buffer | null) {
    await this.sessions.delete({ personId, ...(but && { id: Not(but) }) });
  }
}
