import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/kernel/time/clock.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PeopleService } from '../members/people.service.js';
import { InvitationNotFound } from '../person/person.errors.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import { actorOf } from '../members/person-audit.service.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';

/** Accepts invitations for people whose address somebody else has verified. */
@Injectable()
export class VerifiedInvitationsService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly people: PeopleRepository,
    private readonly peopleService: PeopleService,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds the person of an address that is verified, or makes one by its newest open invitation, within a
   * transaction. Others stay open. The person has no password.
   * @param details a name that is empty gives way to that of the invitation
   * @returns null without a person and an open invitation
   * @throws InvitationNotFound when somebody else accepted it meanwhile
   */
  async personOf(
    tx: EntityManager,
    details: PersonDetails,
    address: string,
  ): Promise<Person | null> {
    const known = await this.people.in(tx).findByEmail(details.email);
    if (known) return known;
    const now = this.clock.now();
    const invitations = await this.links.in(tx).listInvitationsFor(details.email);
    const invitation = invitations.find(({ expiresAt }) => expiresAt > now);
    const accountId = invitation?.accountId ?? null;
    if (!invitation || accountId === null) return null;
    if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
    const person = Person.create({ ...details, name: details.name || invitation.name }, now);
    await this.people.in(tx).save(Object.assign(person, { verifiedAt: now }));
    const actor = actorOf(person, address);
    await this.peopleService.join(tx, actor, person, accountId, invitation.standing, now);
    return person;
  }
}
