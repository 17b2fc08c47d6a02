import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import type { Session } from '../../sessions/session.entity.js';
import { SessionsService, type BegunSession } from '../../sessions/sessions.service.js';
import { FactorsService } from '../credentials/factors.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { personTarget } from '../members/people.service.js';
import { CodeWrong } from '../person/person.errors.js';
import { Person } from '../person/person.entity.js';
import { actorOf, SignInService } from '../sign-in/sign-in.service.js';

/** Signs in people who have shown their password and still have to show a second factor. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly factors: FactorsService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the session of this secret if it waits for a second factor, else null. */
  async recognise(secret: string): Promise<Session | null> {
    const session = await this.sessions.recognise(secret);
    return session?.provedAt === null ? session : null;
  }

  /**
   * Replaces the session that waited by one that opens pages.
   * @param code of the authenticator app, or a recovery code
   * @throws CodeWrong
   * @throws RateLimited when there were too many tries lately
   */
  async complete(waiting: Session, code: string, address: string): Promise<BegunSession> {
    const person = await this.people.get(waiting.personId);
    const isKnown = await this.sessions.isKnownAddress(person.id, address);
    this.limits.admitSignIn(address, Person.keyOf(person.email), isKnown);
    const begun = person.isDisabled ? null : await this.begin(waiting, person, code, address);
    if (begun) return begun;
    await this.audit.recordAlone(actorOf(person, address), {
      accountId: null,
      action: 'person.code_refused',
      target: personTarget(person),
    });
    throw new CodeWrong();
  }

  private begin(
    waiting: Session,
    person: Person,
    code: string,
    address: string,
  ): Promise<BegunSession | null> {
    const device = { address, userAgent: waiting.userAgent, isShared: waiting.isSharedDevice };
    return this.unitOfWork.run(async (tx) => {
      const kind = await this.factors.claim(tx, person, code);
      if (kind === null) return null;
      await this.sessions.end(tx, person.id, waiting.id);
      if (kind === 'recovery') {
        await this.audit.record(tx, actorOf(person, address), {
          accountId: null,
          action: 'person.recovery_code_used',
          target: personTarget(person),
        });
      }
      return this.signIns.begin(tx, person, waiting.way, device);
    });
  }
}
