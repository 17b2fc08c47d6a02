import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PeopleMailService, type SignInChange } from '../links/people-mail.service.js';
import { PersonAudit, type PersonEvent } from '../members/members.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Person } from '../person/person.entity.js';
import type { SignedIn } from './sign-in.service.js';

/** Changes how the person signs in who is signed in. */
@Injectable()
export class OwnChanges {
  constructor(
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly mails: PeopleMailService,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks the person, changes them, ends their other sessions, and records it; then mails them about it.
   * @param mail null for none
   * @param change returns what is recorded, and whatever else the caller needs
   */
  async make<T extends PersonEvent>(
    { person: { id }, session, principal }: SignedIn,
    address: string,
    mail: SignInChange | null,
    change: (tx: EntityManager, person: Person) => Promise<T>,
  ): Promise<T> {
    const { person, made } = await this.unitOfWork.run(async (tx) => {
      const person = await this.people.in(tx).getForUpdate(id);
      const made = await change(tx, person);
      await this.sessions.endAllOf(tx, id, session.id);
      const { action, details } = made;
      await this.audit.record(tx, { person, principal }, address, { action, details });
      return { person, made };
    });
    if (mail) this.mails.mailAboutChange(person, mail, this.unitOfWork.now(), address);
    return made;
  }
}
