import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuditService } from '../audit/audit.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Device } from '../sessions/session.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { Clock } from '../platform/kernel/clock.js';
import { hashSecret, mintSecret } from '../platform/kernel/token-secret.js';
import type { Membership } from './membership.entity.js';
import { assertMayGive } from './members.service.js';
import { assertGoodPassword } from './password-policy.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { detailsOf, PeopleService } from './people.service.js';
import {
  InvitationForbidden,
  InvitationForOther,
  InvitationNotFound,
  PersonKnown,
} from './person.errors.js';
import { Person, type PersonDetails } from './person.entity.js';
import { PostService } from './post.service.js';
import { actorOf, SignInService, type SignedIn } from './sign-in.service.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';
import type { LimitState } from './membership.entity.js';

const PREFIX = 'fcs_invitation_';
/** How long an invitation may be accepted: it has to wait out a week's holiday. */
const TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** An invitation, and its link when it was not mailed: the only time it is known. */
export interface IssuedInvitation {
  invitation: SignInLink;
  link: string | null;
}

/** What the page of an invitation shows. */
export interface OpenInvitation {
  invitation: SignInLink;
  accountName: string;
  /** Whether somebody signs in with its address already, and has to do so to accept it. */
  isKnown: boolean;
}

/** Invites people into accounts and to clients. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly people: PeopleRepository,
    private readonly peopleService: PeopleService,
    private readonly signIn: SignInService,
    private readonly passwords: Passwords,
    private readonly accounts: AccountsService,
    private readonly clients: ClientsService,
    private readonly post: PostService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Invites a person.
   * @param isMailed whether the link goes out by mail, and is shown to nobody else
   * @throws ClientNotFound, RoleExceeded, InvitationForbidden
   * @throws MailNotSent when the mail server takes no mail; then there is no invitation either
   */
  async invite(
    principal: Principal,
    invitee: { email: string; name: string },
    standing: LimitState,
    isMailed: boolean,
  ): Promise<IssuedInvitation> {
    const { accountId, actor } = principal;
    const account = await this.accounts.get(accountId);
    if (standing.clientId !== null) await this.clients.show(principal, standing.clientId);
    if (principal.clientId !== null) throw new InvitationForbidden();
    assertMayGive(principal, standing);
    const secret = mintSecret(PREFIX);
    const link = `${this.config.baseUrl}/invitation#${secret}`;
    const now = this.clock.now();
    const until = new Date(now.getTime() + TTL_MS);
    const invitation = SignInLink.invite(
      accountId,
      invitee,
      standing,
      isMailed,
      secret,
      now,
      until,
    );
    await this.unitOfWork.run(async (tx) => {
      await this.links.in(tx).insert(invitation);
      await this.audit.record(tx, actor, {
        accountId,
        action: 'person.invited',
        target: { kind: 'invitation', id: null, name: invitee.name },
        details: { ...detailsOf(standing), mailed: isMailed },
      });
    });
    if (!isMailed) return { invitation, link };
    try {
      await this.post.invite(invitation, account.name, actor.name, link);
    } catch (error) {
      await this.unitOfWork.run((tx) => this.links.in(tx).claim(invitation.id));
      throw error;
    }
    return { invitation, link: null };
  }

  /** The invitations that can be accepted, newest first. A client has none. */
  async list(scope: Scope): Promise<SignInLink[]> {
    if (scope.clientId !== null) return [];
    const now = this.clock.now();
    const invitations = await this.links.listInvitations(scope.accountId);
    return invitations.filter(({ expiresAt }) => expiresAt > now);
  }

  /** @throws InvitationNotFound */
  async withdraw(principal: Principal, id: Buffer | null): Promise<void> {
    if (principal.clientId !== null || id === null) throw new InvitationNotFound();
    const { accountId, actor } = principal;
    await this.unitOfWork.run(async (tx) => {
      await this.links.in(tx).removeInvitation(accountId, id);
      const target = { kind: 'invitation', id: id.toString('hex'), name: null };
      await this.audit.record(tx, actor, {
        accountId,
        action: 'invitation.withdrawn',
        target,
      });
    });
  }

  /**
   * Shows an invitation; it stays open.
   * @throws InvitationNotFound
   */
  async open(secret: string): Promise<OpenInvitation> {
    const { invitation, accountId } = await this.find(secret);
    const account = await this.accounts.get(accountId);
    const isKnown = (await this.people.findByEmail(invitation.email)) !== null;
    return { invitation, accountName: account.name, isKnown };
  }

  /**
   * Makes the invited person, and signs them in.
   * @throws InvitationNotFound, PasswordRefused
   * @throws PersonKnown when somebody has the address already: they sign in, then `join`
   */
  async accept(
    secret: string,
    details: Omit<PersonDetails, 'email'>,
    password: string,
    device: Device,
  ): Promise<BegunSession> {
    const { invitation, accountId } = await this.find(secret);
    const { email, isMailed, standing } = invitation;
    const account = await this.accounts.get(accountId);
    if (await this.people.findByEmail(email)) throw new PersonKnown();
    assertGoodPassword(password, [details.name, email, account.name], false);
    const passwordHash = await this.passwords.hash(password);
    return this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
      const now = this.clock.now();
      const person = Person.create({ ...details, email }, now);
      Object.assign(person, { passwordHash, verifiedAt: isMailed ? now : null });
      await this.people.in(tx).save(person);
      const actor = actorOf(person, device.address);
      await this.peopleService.join(tx, actor, person, accountId, standing, now);
      return this.signIn.begin(tx, person, 'invitation', device);
    });
  }

  /**
   * Takes a person who signed in where the invitation leads.
   * @throws InvitationNotFound, MembershipExists
   * @throws InvitationForOther when it is for another address
   */
  async join(secret: string, { person }: SignedIn, address: string): Promise<Membership> {
    const { invitation, accountId } = await this.find(secret);
    if (Person.keyOf(invitation.email) !== Person.keyOf(person.email)) {
      throw new InvitationForOther();
    }
    return this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
      const actor = actorOf(person, address);
      const now = this.clock.now();
      return this.peopleService.join(tx, actor, person, accountId, invitation.standing, now);
    });
  }

  /** @throws InvitationNotFound */
  private async find(secret: string): Promise<{ invitation: SignInLink; accountId: number }> {
    const invitation = await this.links.findByDigest(hashSecret(secret.trim()));
    const accountId = invitation?.accountId ?? null;
    if (!invitation || accountId === null || invitation.expiresAt <= this.clock.now()) {
      throw new InvitationNotFound();
    }
    return { invitation, accountId };
  }
}
