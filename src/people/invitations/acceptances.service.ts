import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../brands/brands.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { hashSecret } from '../../platform/kernel/token-secret.js';
import type { Device } from '../../sessions/session.entity.js';
import type { BegunSession } from '../../sessions/sessions.service.js';
import { FirstProofs } from '../sign-in-methods/first-proofs.service.js';
import { FirstWays, type FirstWay } from '../sign-in-methods/first-ways.js';
import type { Membership } from '../members/membership.entity.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PeopleService } from '../members/people.service.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import { InvitationForOther, InvitationNotFound, PersonKnown } from '../person/person.errors.js';
import { actorOf } from '../members/person-audit.service.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import type { SignInLink } from '../links/sign-in-link.entity.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';

/** The content of an invitation's page. */
export interface OpenInvitation {
  invitation: SignInLink;
  accountName: string;
  /** Whether a person with its address exists, who has to sign in to accept it. */
  isKnown: boolean;
}

/** Accepts invitations for who has their links. */
@Injectable()
export class AcceptancesService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly people: PeopleRepository,
    private readonly peopleService: PeopleService,
    private readonly proofs: FirstProofs,
    private readonly signIn: SignInService,
    private readonly firstWays: FirstWays,
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns an invitation, which stays open.
   * @throws InvitationNotFound
   */
  async open(secret: string): Promise<OpenInvitation> {
    const { invitation, accountId } = await this.find(secret);
    const account = await this.accounts.get(accountId);
    const person = await this.people.findByEmail(invitation.email);
    const isKnown = person !== null && !mayBeginAnew(invitation, person);
    const brand = await this.brands.of({ accountId, clientId: invitation.standing.clientId });
    return { invitation, accountName: brand.name ?? account.name, isKnown };
  }

  /**
   * Creates the invited person, and signs them in. A person of the address whom nobody has proved to be theirs
   * is theirs then, with nothing that signed in as them before, when the link proves that it is.
   * @throws InvitationNotFound, PasswordRefused, PasskeyRefused
   * @throws PersonKnown when a person has the address already: they sign in, then `join`
   */
  async accept(
    secret: string,
    details: Omit<PersonDetails, 'email'>,
    way: FirstWay,
    device: Device,
  ): Promise<BegunSession> {
    const { invitation, accountId } = await this.find(secret);
    const { email, standing } = invitation;
    const account = await this.accounts.get(accountId);
    const known = await this.people.findByEmail(email);
    if (known && !mayBeginAnew(invitation, known)) throw new PersonKnown();
    const ownWords = [details.name, email, account.name];
    const checked = await this.firstWays.check(way, ownWords);
    const { person, begun } = await this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
      const now = this.unitOfWork.now();
      const person = known
        ? await this.begunAnew(tx, known, device.address)
        : Person.create({ ...details, email }, now);
      person.change(details);
      const verifiedAt = invitation.provesAddress ? now : null;
      const { passwordHash } = checked;
      await this.people.in(tx).save(Object.assign(person, { passwordHash, verifiedAt }));
      await this.firstWays.keep(tx, person, checked);
      const actor = actorOf(person, device.address);
      await this.peopleService.join(tx, actor, person, accountId, standing, now);
      return { person, begun: await this.signIn.begin(tx, person, 'invitation', device) };
    });
    if (known) this.proofs.tell(person, device.address);
    return begun;
  }

  /**
   * Accepts an invitation for a person who is signed in.
   * @throws InvitationNotFound, MembershipExists
   * @throws InvitationForOther when it is for another address
   * @throws AddressNotVerified when nobody has proved that they read mail there, and they could
   */
  async join(secret: string, { person, session }: SignedIn, address: string): Promise<Membership> {
    const { invitation, accountId } = await this.find(secret);
    if (Person.keyOf(invitation.email) !== Person.keyOf(person.email)) {
      throw new InvitationForOther();
    }
    const { provesAddress, standing } = invitation;
    if (!provesAddress) this.proofs.assertTaken(person);
    const { membership, isBegunAnew } = await this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
      const isBegunAnew =
        provesAddress && (await this.proofs.take(tx, person.id, address, session.id)).isBegunAnew;
      const actor = actorOf(person, address);
      const now = this.unitOfWork.now();
      const { peopleService } = this;
      const membership = await peopleService.join(tx, actor, person, accountId, standing, now);
      return { membership, isBegunAnew };
    });
    if (isBegunAnew) this.proofs.tell(person, address);
    return membership;
  }

  /** @throws PersonKnown when somebody else has proved the address meanwhile */
  private async begunAnew(tx: EntityManager, known: Person, address: string): Promise<Person> {
    const { person, isBegunAnew } = await this.proofs.take(tx, known.id, address);
    if (!isBegunAnew) throw new PersonKnown();
    return person;
  }

  /** @throws InvitationNotFound */
  private async find(secret: string): Promise<{ invitation: SignInLink; accountId: number }> {
    const invitation = await this.links.findByDigest(hashSecret(secret.trim()));
    const accountId = invitation?.accountId ?? null;
    if (!invitation || accountId === null || invitation.expiresAt <= this.unitOfWork.now()) {
      throw new InvitationNotFound();
    }
    return { invitation, accountId };
  }
}

/** Tells whether who has the link gets the person of its address, whoever signed in as them before. */
function mayBeginAnew({ provesAddress }: SignInLink, person: Person): boolean {
  return provesAddress && person.isUnproven && !person.isDisabled;
}
