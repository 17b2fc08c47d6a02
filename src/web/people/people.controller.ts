import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire, OpenWhileViewing, Principal } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeMemberDto, InviteMemberDto } from '../../people/member.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService, type Member } from '../../people/members/members.service.js';
import { checked, isTicked, textOf } from '../parts/index.js';
import { MemberPage } from './member.page.js';
import { invitationRow, PEOPLE, PeoplePage, InvitationLinkPage, InvitePage } from './people.page.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import type { Request } from 'express';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { ViewsService } from '../../people/sign-in/views.service.js';
import { Config } from '../../platform/index.js';
import { addressOf } from '../../platform/http/index.js';
import { HOME } from '../sign-in/sign-in.controller.js';

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
    if (link === null) return goTo(PEOPLE.href, 'person_invited');
    return page(InvitationLinkPage, { name: invitation.name, link, up: PEOPLE });
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
    const members = await this.members.list(principal, null);
    const invitations = await this.invitationRows(principal);
    const mayChange = principal.has('people:write');
    return page(PeoplePage, { members, me: principal.actor.id, invitations, mayChange });
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
        const { link } = await this.invitations.invite(principal, body.person, standing, typed.send);
        if (link === null) return goTo(PEOPLE.href, 'person_invited');
        return page(InvitationLinkPage, { name: body.person.name, link, up: PEOPLE });
      },
      (problems) => page(InvitePage, { typed, problems }),
    );
  }

  /** Show a member. */
  @Get('people/:id')
  async show(@Asked() { principal, recordId: id }: PageInput) {
    const member = await this.members.show(principal, id, null);
    const sessions = await this.members.sessionsOf(principal, id, null);
    return page(MemberPage, { member, isSelf: principal.actor.id === id, sessions });
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

  private async invitationRows(principal: Principal) {
    const invitations = await this.invitations.list(principal);
    const clients = invitations.some(({ clientId }) => clientId !== null) ? await this.clients.list(principal) : [];
    const names = new Map(clients.map(({ client }) => [client.id, client.name]));
    return invitations.map((invitation) => invitationRow(invitation, names));
  }
}

/** Lets owners see the pages as somebody else does. */
@WebController()
export class ViewPagesController {
  constructor(
    private readonly views: ViewsService,
    private readonly config: Config,
  ) {}

  /** See them as a member of the account. */
  @Post('people/:id/view')
  @Requires('people:write')
  @Fresh()
  seeAsMember(@Asked() { signedIn, request, recordId: id }: PageInput) {
    return this.begin(signedIn, id, null, request);
  }

  /** See them as a person of a client. */
  @Post('clients/:id/people/:personId/view')
  @Requires('people:write')
  @Fresh()
  seeAsClientPerson(@Asked() { signedIn, request, recordId: id, personId }: PageInput) {
    return this.begin(signedIn, personId, id, request);
  }

  /** See them as oneself again. */
  @Post('view/end')
  @OpenWhileViewing()
  async end(@Asked() { signedIn, request }: PageInput) {
    await this.views.end(signedIn, addressOf(request, this.config));
    return goTo(signedIn.view ? pageOf(signedIn.view) : HOME, 'view_ended');
  }

  private async begin(signedIn: SignedIn, personId: number, clientId: number | null, request: Request) {
    await this.views.begin(signedIn, personId, clientId, addressOf(request, this.config));
    return goTo(HOME);
  }
}

/** Returns the owner's page about the person, where the view began. */
function pageOf({ person, membership: { clientId } }: Member) {
  return clientId === null ? `/people/${person.id}` : `/clients/${clientId}/people/${person.id}`;
}
