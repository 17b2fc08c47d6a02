import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { formatUuid, hashSecret, mintSecret, RateLimits, DAY_MS } from '../../platform/index.js';
import type { Device } from '../sessions/session.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { FirstProofs } from '../sign-in-methods/proofs.service.js';
import { FirstWays, type FirstWay } from '../sign-in-methods/first-ways.js';
import type { Membership, Standing } from '../members/membership.entity.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PeopleService, actorOf, assertMayGive, detailsOf } from '../members/members.service.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import {
  InvitationForOther,
  InvitationNotFound,
  PersonKnown,
  InvitationForbidden,
  MembershipExists,
} from '../person/person.errors.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { SignInLink } from '../links/sign-in-link.entity.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { COMMAND_LINE, type Principal, type Scope } from '../../accounts/access/index.js';
import type { AuditTarget } from '../../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { PeopleMailService } from '../links/people-mail.service.js';

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
      const isBegunAnew = provesAddress && (await this.proofs.take(tx, person.id, address, session.id)).isBegunAnew;
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
  private async begunAnew(tx: EntityManager, known: Person, address: string) {
    const { person, isBegunAnew } = await this.proofs.take(tx, known.id, address);
    if (!isBegunAnew) throw new PersonKnown();
    return person;
  }

  /** @throws InvitationNotFound */
  private async find(secret: string) {
    const invitation = await this.links.findByDigest(hashSecret(secret.trim()));
    const accountId = invitation?.accountId ?? null;
    if (!invitation || accountId === null || invitation.expiresAt <= this.unitOfWork.now()) {
      throw new InvitationNotFound();
    }
    return { invitation, accountId };
  }
}

/** Tells whether who has the link gets the person of its address, whoever signed in as them before. */
function mayBeginAnew({ provesAddress }: SignInLink, person: Person) {
  return provesAddress && person.isUnproven && !person.isDisabled;
}

const PREFIX = 'fcs_invitation_';
/** Life of an invitation in milliseconds: it outlasts a week's holiday. */
const TTL_MS = 7 * DAY_MS;

/** An invitation and, unless it was mailed, its link, which is known only now. */
export interface IssuedInvitation {
  invitation: SignInLink;
  link: string | null;
}

/** Invites people into accounts and to clients. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly people: PeopleService,
    private readonly accounts: AccountsService,
    private readonly clients: ClientsService,
    private readonly addresses: PublicAddresses,
    private readonly mails: PeopleMailService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Invites a person. Former invitations of that address to the same place stop working once this one is out.
   * @param isMailed whether the link goes out by mail, and is shown to nobody else
   * @throws ClientNotFound, RoleExceeded, InvitationForbidden
   * @throws MembershipExists when somebody of that address belongs there already
   * @throws RateLimited when many were mailed to that address
   * @throws MailNotSent when the mail server takes no mail; then there is no invitation either
   */
  async invite(
    principal: Principal,
    invitee: { email: string; name: string },
    standing: Standing,
    isMailed: boolean,
  ): Promise<IssuedInvitation> {
    const issued = await this.issue(principal, invitee, standing, isMailed);
    await this.withdrawFormer(issued.invitation);
    return issued;
  }

  /** Returns the invitations that can be accepted, newest first. A client has none. */
  async list(scope: Scope): Promise<SignInLink[]> {
    if (scope.clientId !== null) return [];
    const now = this.unitOfWork.now();
    const invitations = await this.links.listInvitations(scope.accountId);
    return invitations.filter(({ expiresAt }) => expiresAt > now);
  }

  /**
   * Replaces an open invitation by a new one, with another link and a week more. The
   * former link stops working once the new one is out.
   * @throws InvitationNotFound, and what `invite` throws
   */
  async resend(principal: Principal, id: Buffer | null, isMailed: boolean): Promise<IssuedInvitation> {
    const former = await this.get(principal, id);
    const issued = await this.issue(principal, former, former.standing, isMailed);
    const isReplaced = await this.unitOfWork.run(async (tx) => {
      if (await this.links.in(tx).claim(former.id)) return true;
      // Somebody accepted or withdrew it meanwhile.
      await this.links.in(tx).claim(issued.invitation.id);
      return false;
    });
    if (!isReplaced) throw new InvitationNotFound();
    return issued;
  }

  /**
   * Takes an invitation back.
   * @throws InvitationNotFound
   * @throws RoleExceeded when the principal might not have given it
   */
  async withdraw(principal: Principal, id: Buffer | null) {
    const invitation = await this.get(principal, id);
    assertMayGive(principal, invitation.standing);
    const { accountId, actor } = principal;
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
      const target = invitationTarget(invitation);
      await this.audit.record(tx, actor, { accountId, action: 'invitation.withdrawn', target });
    });
  }

  private async issue(
    principal: Principal,
    invitee: { email: string; name: string },
    standing: Standing,
    isMailed: boolean,
  ): Promise<IssuedInvitation> {
    const { accountId, actor } = principal;
    const account = await this.accounts.get(accountId);
    if (standing.clientId !== null) await this.clients.show(principal, standing.clientId);
    if (principal.clientId !== null) throw new InvitationForbidden();
    assertMayGive(principal, standing);
    await this.assertNew(accountId, invitee.email, standing);
    if (isMailed) this.limits.admitInvitation(invitee.email);
    const secret = mintSecret(PREFIX);
    const person = await this.people.findByEmail(invitee.email);
    // Who belongs elsewhere too cannot sign in under the host of a client.
    const baseUrl = await this.addresses.ofClient(person ? null : standing.clientId);
    const link = `${baseUrl}${await this.mails.invitationPath({ accountId, clientId: standing.clientId })}#${secret}`;
    const now = this.unitOfWork.now();
    const until = new Date(now.getTime() + TTL_MS);
    const invitation = SignInLink.invite(
      accountId,
      invitee,
      standing,
      isMailed || actor.kind === COMMAND_LINE.kind,
      actor.kind === 'person' ? actor.name : null,
      secret,
      now,
      until,
    );
    await this.unitOfWork.run(async (tx) => {
      await this.links.in(tx).insert(invitation);
      await this.audit.record(tx, actor, {
        accountId,
        action: 'person.invited',
        target: invitationTarget(invitation),
        details: { ...detailsOf(standing), mailed: isMailed },
      });
    });
    if (!isMailed) return { invitation, link };
    try {
      await this.mails.invite(invitation, { accountId, name: account.name }, actor.name, link);
    } catch (error) {
      await this.unitOfWork.run((tx) => this.links.in(tx).claim(invitation.id));
      throw error;
    }
    return { invitation, link: null };
  }

  /** @throws InvitationNotFound */
  private async get({ accountId, clientId }: Scope, id: Buffer | null) {
    const found = clientId === null && id ? await this.links.findInvitation(accountId, id) : null;
    if (!found) throw new InvitationNotFound();
    return found;
  }

  /** Withdraws what was issued before to the same address and place: of two at once the later one stays. */
  private async withdrawFormer({ id, email, accountId, clientId }: SignInLink) {
    const open = await this.links.listInvitationsFor(email);
    const former = open.filter(
      (each) => each.accountId === accountId && each.clientId === clientId && each.id.compare(id) < 0,
    );
    if (former.length === 0) return;
    await this.unitOfWork.run(async (tx) => {
      for (const each of former) await this.links.in(tx).claim(each.id);
    });
  }

  /** @throws MembershipExists */
  private async assertNew(accountId: number, email: string, { clientId }: Standing) {
    const person = await this.people.findByEmail(email);
    if (!person) return;
    const memberships = await this.people.membershipsOf(person.id);
    const isHere = memberships.some(
      (membership) => membership.accountId === accountId && membership.clientId === clientId,
    );
    if (isHere) throw new MembershipExists();
  }
}

/** Returns an invitation as the target of an audit entry, named after the invited person. */
function invitationTarget({ id, name }: SignInLink): AuditTarget {
  return { kind: 'invitation', id: formatUuid(id), name };
}
