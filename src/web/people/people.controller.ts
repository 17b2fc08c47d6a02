import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire } from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeMemberDto, InviteMemberDto } from '../../people/member.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { checked, isTicked, textOf } from '../parts/typed.js';
import { MemberPage } from './member.page.js';
import {
  invitationRow,
  PEOPLE,
  PeoplePage,
  type InvitationRow,
  InvitationLinkPage,
  InvitePage,
} from './people.page.js';
import { attempt, goTo, page } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the actions on open invitations. */
@WebController('invitations')
@RoutesRequire('people:write')
@Fresh()
export class InvitationPagesController {
  constructor(private readonly invitations: InvitationsService) {}

  /** Send one again, by mail or by a link that this page shows once. */
  @Post(':id/resend')
  async resend(@Asked() { principal, typed: sent, id }: PageInput) {
    const isMailed = isTicked(sent, 'send');
    const { invitation, link } = await this.invitations.resend(principal, id, isMailed);
    if (link === null) {
      return goTo(PEOPLE.href, 'person_invited');
    }
    const { name } = invitation;
    return page(InvitationLinkPage, { name, link, up: PEOPLE });
  }

  /** Take one back. */
  @Post(':id/withdraw')
  async withdraw(@Asked() { principal, id }: PageInput) {
    await this.invitations.withdraw(principal, id);
    return goTo(PEOPLE.href, 'invitation_withdrawn');
  }
}

const NOTHING_TYPED = { name: '', email: '', role: 'editor', send: true };

/** Serves the pages about members. */
@WebController()
@RoutesRequire('people:write')
export class PeoplePagesController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
  ) {}

  /** List the members, and who is invited. */
  @Get('people')
  @Requires('people:read')
  async list(@Asked() { principal }: PageInput) {
    const members = (await this.members.list(principal, null)).map(({ person, membership }) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      role: membership.role ?? ('viewer' as const),
      isDisabled: person.isDisabled || membership.disabledAt !== null,
      isSelf: principal.actor.id === person.id,
      joinedAt: membership.createdAt,
    }));
    const invitations = await this.invitationRows(principal);
    const mayChange = principal.has('people:write');
    return page(PeoplePage, { members, invitations, mayChange });
  }

  /** Ask whom to invite. */
  @Get('new-person')
  ask() {
    return page(InvitePage, { typed: NOTHING_TYPED, problems: [] });
  }

  /** Invite a person, by mail or by a link that this page shows once. */
  @Post('people')
  @Fresh()
  async invite(@Asked() { principal, typed: sent }: PageInput) {
    const typed = {
      name: textOf(sent, 'person.name'),
      email: textOf(sent, 'person.email'),
      role: textOf(sent, 'person.role'),
      send: isTicked(sent, 'person.send'),
    };
    return attempt(
      async () => {
        const body = await checked(InviteMemberDto, { person: typed });
        const standing = InviteMemberDto.standing(body);
        const { link } = await this.invitations.invite(
          principal,
          body.person,
          standing,
          typed.send,
        );
        if (link === null) {
          return goTo(PEOPLE.href, 'person_invited');
        }
        const { name } = body.person;
        return page(InvitationLinkPage, { name, link, up: PEOPLE });
      },
      (problems) => page(InvitePage, { typed, problems }),
    );
  }

  /** Show a member. */
  @Get('people/:id')
  async show(@Asked() { principal, recordId: id }: PageInput) {
    const { person, membership } = await this.members.show(principal, id, null);
    const sessions = await this.members.sessionsOf(principal, id, null);
    const { name, email } = person;
    const role = membership.role ?? ('viewer' as const);
    const member = { id, name, email, role, isDisabled: membership.disabledAt !== null };
    const isSelf = principal.actor.id === id;
    return page(MemberPage, { member, isSelf, sessions });
  }

  /** Change the role of a member, or keep them out. */
  @Post('people/:id')
  @Fresh()
  async change(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const isDisabled = isTicked(sent, 'person.disabled');
    const typed = { role: textOf(sent, 'person.role'), disabled: isDisabled };
    const { person } = await checked(ChangeMemberDto, { person: typed });
    const { role } = person;
    const standing = role === undefined ? null : ({ clientId: null, role } as const);
    await this.members.change(principal, id, null, { standing, isDisabled });
    return goTo(`${PEOPLE.href}/${id}`, 'saved');
  }

  /** Sign a member out everywhere. */
  @Post('people/:id/sessions/end')
  @Fresh()
  async endSessions(@Asked() { principal, recordId: id }: PageInput) {
    await this.members.endSessions(principal, id, null);
    return goTo(`${PEOPLE.href}/${id}`, 'person_signed_out');
  }

  /** Take a member out of the account. */
  @Post('people/:id/remove')
  @Fresh()
  async remove(@Asked() { principal, recordId: id }: PageInput) {
    await this.members.remove(principal, id, null);
    return goTo(PEOPLE.href, 'person_removed');
  }

  private async invitationRows(principal: Principal): Promise<InvitationRow[]> {
    const invitations = await this.invitations.list(principal);
    const clients = invitations.some(({ clientId }) => clientId !== null)
      ? await this.clients.list(principal)
      : [];
    const names = new Map(clients.map(({ client }) => [client.id, client.name]));
    return invitations.map((invitation) => invitationRow(invitation, names));
  }
}
