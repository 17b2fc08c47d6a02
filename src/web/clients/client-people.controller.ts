import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire } from '../../accounts/access/access.decorators.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeClientMemberDto, withSee, InviteClientMemberDto } from '../../people/member.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { attempt, goTo, page } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { checked, isTicked, textOf, textsOf } from '../parts/typed.js';
import { InvitationLinkPage, invitationRow } from '../people/people.page.js';
import { ClientPeoplePage } from './client.page.js';
import { ClientPersonPage, InviteClientPersonPage } from './clients.page.js';

const NOTHING_TYPED = { name: '', email: '', actions: [], send: true };

/** Serves the pages about the people of a client. */
@WebController('clients/:id')
@RoutesRequire('people:write')
export class ClientPeoplePagesController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
    private readonly brands: BrandsService,
  ) {}

  /** Show who acts for the client, and who is invited. */
  @Get('people')
  @Requires('people:read')
  async list(@Asked() { principal, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    const members = await this.members.list(principal, id);
    const rows = members.map(({ person, membership }) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      actions: membership.actions,
      isDisabled: membership.disabledAt !== null,
    }));
    const scope = { accountId: principal.accountId, clientId: id };
    const { baseUrl } = await this.brands.of(scope);
    const signInUrl = baseUrl + (await this.brands.signInPath(scope));
    const open = (await this.invitations.list(principal)).filter(({ clientId }) => clientId === id);
    const invitations = open.map((each) => invitationRow(each, new Map([[id, client.name]])));
    const people = { rows, invitations, mayInvite: principal.has('people:write'), signInUrl };
    return page(ClientPeoplePage, { client, people });
  }

  /** Ask whom to invite. */
  @Get('new-person')
  async ask(@Asked() { principal, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    return page(InviteClientPersonPage, { client, typed: NOTHING_TYPED, problems: [] });
  }

  /** Invite a person, by mail or by a link that this page shows once. */
  @Post('people')
  @Fresh()
  async invite(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    const typed = {
      name: textOf(sent, 'person.name'),
      email: textOf(sent, 'person.email'),
      actions: textsOf(sent, 'person.actions'),
      send: isTicked(sent, 'person.send'),
    };
    return attempt(
      async () => {
        const { person } = await checked(InviteClientMemberDto, { person: typed });
        const standing = InviteClientMemberDto.standing({ person }, id);
        const { link } = await this.invitations.invite(principal, person, standing, typed.send);
        const here = `/clients/${id}/people`;
        if (link === null) return goTo(here, 'person_invited');
        const up = { href: here, label: client.name };
        return page(InvitationLinkPage, { name: person.name, link, up });
      },
      (problems) => page(InviteClientPersonPage, { client, typed, problems }),
    );
  }

  /** Show a person of the client. */
  @Get('people/:personId')
  async show(@Asked() { principal, recordId: id, personId }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    const { person, membership } = await this.members.show(principal, personId, id);
    const sessions = await this.members.sessionsOf(principal, personId, id);
    const { name, email } = person;
    const { actions, disabledAt } = membership;
    const shown = { id: personId, name, email, actions, isDisabled: disabledAt !== null };
    return page(ClientPersonPage, { client, person: shown, sessions });
  }

  /** Change what a person may do, or keep them out. */
  @Post('people/:personId')
  @Fresh()
  async change(@Asked() { principal, typed: sent, recordId: id, personId }: PageInput) {
    const isDisabled = isTicked(sent, 'person.disabled');
    const typed = { actions: textsOf(sent, 'person.actions'), disabled: isDisabled };
    const { person } = await checked(ChangeClientMemberDto, { person: typed });
    const standing = { clientId: id, actions: withSee(person.actions ?? []) };
    await this.members.change(principal, personId, id, { standing, isDisabled });
    return goTo(`/clients/${id}/people/${personId}`, 'saved');
  }

  /** Sign a person out everywhere. */
  @Post('people/:personId/sessions/end')
  @Fresh()
  async endSessions(@Asked() { principal, recordId: id, personId }: PageInput) {
    await this.members.endSessions(principal, personId, id);
    return goTo(`/clients/${id}/people/${personId}`, 'person_signed_out');
  }

  /** Take a person away from the client. */
  @Post('people/:personId/remove')
  @Fresh()
  async remove(@Asked() { principal, recordId: id, personId }: PageInput) {
    await this.members.remove(principal, personId, id);
    return goTo(`/clients/${id}/people`, 'person_removed');
  }
}
