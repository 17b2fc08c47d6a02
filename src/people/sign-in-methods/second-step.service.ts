import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Session } from '../../sessions/session.entity.js';
import { SessionsService, type BegunSession } from '../../sessions/sessions.service.js';
import { FactorsService } from '../credentials/factors.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PersonAudit } from '../members/person-audit.service.js';
import { CodeWrong } from '../person/person.errors.js';
import type { Person } from '../person/person.entity.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { SignInTries } from '../sign-in/sign-in-tries.service.js';

/** Signs in people who have shown their password and still have to show a second factor. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly factors: FactorsService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly tries: SignInTries,
    private readonly audit: PersonAudit,
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
    await this.tries.admit(person, person.email, address);
    const begun = person.isDisabled ? null : await this.begin(waiting, person, code, address);
    if (begun) return begun;
    await this.audit.recordAlone({ person }, address, { action: 'person.code_refused' });
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
        await this.audit.record(tx, { person }, address, { action: 'person.recovery_code_used' });
      }
      return this.signIns.begin(tx, person, waiting.way, device);
    });
  }
}
