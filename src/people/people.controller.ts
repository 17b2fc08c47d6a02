import { Body, Controller, Delete, Get, Param, Patch, Post, HttpCode } from '@nestjs/common';
import { CurrentPrincipal, OfRecord, Requires, RoutesRequire, Principal } from '../accounts/access/index.js';
import { MessageDto, RecordId, UuidParam } from '../platform/http/index.js';
import {
  ChangeClientMemberDto,
  withSee,
  ChangeMemberDto,
  InviteClientMemberDto,
  IssuedInvitationDto,
  ClientPersonDto,
  ClientPersonListDto,
  PersonSessionListDto,
  InviteMemberDto,
  PersonDto,
  PersonListDto,
  SenderTestDto,
  SendSenderTestDto,
  IdentityListDto,
  InvitationListDto,
  ResendDto,
} from './member.dto.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersService } from './members/members.service.js';
import { SenderTests } from './members/operator-post.service.js';
import { IdentitiesService } from './credentials/identities.service.js';

/** Lists and changes the people who act for a client: they see the forms that it is granted, and nothing else. */
@Controller('api/v1/clients/:id/people')
@RoutesRequire('people:read', 'people:write')
export class ClientPeopleController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  /** List the people of a client, oldest first. */
  @Get()
  async list(@OfRecord() { principal, id }: OfRecord): Promise<ClientPersonListDto> {
    return ClientPersonListDto.of(await this.members.list(principal, id));
  }

  /** Invite a person to a client, by email or with a link that you pass on. */
  @Post()
  async invite(
    @OfRecord() { principal, id }: OfRecord,
    @Body() body: InviteClientMemberDto,
  ): Promise<IssuedInvitationDto> {
    const { email, name, send = true } = body.person;
    const standing = InviteClientMemberDto.standing(body, id);
    return IssuedInvitationDto.issued(await this.invitations.invite(principal, { email, name }, standing, send));
  }

  /** Change the permissions of a person of a client, or suspend them. */
  @Patch(':personId')
  async change(
    @OfRecord() { principal, id }: OfRecord,
    @Param('personId', RecordId) personId: number,
    @Body() { person: { actions, disabled } }: ChangeClientMemberDto,
  ): Promise<ClientPersonDto> {
    const standing = actions === undefined ? null : { clientId: id, actions: withSee(actions) };
    return ClientPersonDto.of(
      await this.members.change(principal, personId, id, { standing, isDisabled: disabled ?? null }),
    );
  }

  /** List the sessions of a person of a client, newest first. */
  @Get(':personId/sessions')
  async sessions(
    @OfRecord() { principal, id }: OfRecord,
    @Param('personId', RecordId) personId: number,
  ): Promise<PersonSessionListDto> {
    return PersonSessionListDto.of(await this.members.sessionsOf(principal, personId, id));
  }

  /** Sign a person of a client out on all devices, immediately. */
  @Delete(':personId/sessions')
  async endSessions(
    @OfRecord() { principal, id }: OfRecord,
    @Param('personId', RecordId) personId: number,
  ): Promise<MessageDto> {
    await this.members.endSessions(principal, personId, id);
    return { message: 'The person has been signed out everywhere.' };
  }

  /** Remove a person from a client, immediately. */
  @Delete(':personId')
  async remove(
    @OfRecord() { principal, id }: OfRecord,
    @Param('personId', RecordId) personId: number,
  ): Promise<MessageDto> {
    await this.members.remove(principal, personId, id);
    return { message: 'The person has been removed from the client.' };
  }
}

/** Lists, invites and changes the members of an account: people who sign in. */
@Controller('api/v1/people')
@RoutesRequire('people:read', 'people:write')
export class PeopleController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  /** List the members of the account, oldest first. */
  @Get()
  async list(@CurrentPrincipal() principal: Principal): Promise<PersonListDto> {
    return PersonListDto.of(await this.members.list(principal, null));
  }

  /** Invite a person to the account, by email or with a link that you pass on. */
  @Post()
  async invite(@CurrentPrincipal() principal: Principal, @Body() body: InviteMemberDto): Promise<IssuedInvitationDto> {
    const { email, name, send = true } = body.person;
    const standing = InviteMemberDto.standing(body);
    return IssuedInvitationDto.issued(await this.invitations.invite(principal, { email, name }, standing, send));
  }

  /** Change the role of a member, or suspend them. */
  @Patch(':id')
  async change(
    @OfRecord() { principal, id }: OfRecord,
    @Body() { person: { role, disabled } }: ChangeMemberDto,
  ): Promise<PersonDto> {
    const standing = role === undefined ? null : ({ clientId: null, role } as const);
    return PersonDto.of(await this.members.change(principal, id, null, { standing, isDisabled: disabled ?? null }));
  }

  /** List the sessions of a member, newest first. */
  @Get(':id/sessions')
  async sessions(@OfRecord() { principal, id }: OfRecord): Promise<PersonSessionListDto> {
    return PersonSessionListDto.of(await this.members.sessionsOf(principal, id, null));
  }

  /** Sign a member out on all devices, immediately. */
  @Delete(':id/sessions')
  async endSessions(@OfRecord() { principal, id }: OfRecord): Promise<MessageDto> {
    await this.members.endSessions(principal, id, null);
    return { message: 'The person has been signed out everywhere.' };
  }

  /** Remove a person from the account, immediately. */
  @Delete(':id')
  async remove(@OfRecord() { principal, id }: OfRecord): Promise<MessageDto> {
    await this.members.remove(principal, id, null);
    return { message: 'The person has been removed from the account.' };
  }
}

/** Tries whom the mails for a client come from. */
@Controller('api/v1/clients/:id/sender/test')
export class SenderTestsController {
  constructor(private readonly tests: SenderTests) {}

  /** Send a test email as emails for this client are sent, and return what the mail server said. */
  @Post()
  @HttpCode(200)
  @Requires('clients:write')
  async send(@OfRecord() { principal, id }: OfRecord, @Body() body: SendSenderTestDto): Promise<SenderTestDto> {
    const { to, ended } = await this.tests.send(principal, id, body.to ?? null);
    return SenderTestDto.of(to, ended);
  }
}

/** Lists and unlinks what members of the account are known by at an OpenID Connect provider. */
@Controller('api/v1/people/:id/identities')
@RoutesRequire('people:read', 'people:write')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  /** List the linked identities of a member, oldest first. */
  @Get()
  async list(@OfRecord() { principal, id }: OfRecord): Promise<IdentityListDto> {
    return IdentityListDto.of(await this.identities.list(principal, id));
  }

  /** Unlink an identity from a member. Their sessions go on; a verified address links it again. */
  @Delete(':identity')
  async unlink(
    @OfRecord() { principal, id }: OfRecord,
    @UuidParam('identity') identity: Buffer | null,
  ): Promise<MessageDto> {
    await this.identities.removeFor(principal, id, identity);
    return { message: 'The identity has been unlinked.' };
  }
}

/** Invitations that nobody has accepted yet. */
@Controller('api/v1/invitations')
@RoutesRequire('people:read', 'people:write')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** List pending invitations to the account and its clients, newest first. */
  @Get()
  async list(@CurrentPrincipal() principal: Principal): Promise<InvitationListDto> {
    return InvitationListDto.of(await this.invitations.list(principal));
  }

  /** Replace an invitation with a new one: its link is another, and works for seven days. */
  @Post(':id/resend')
  async resend(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
    @Body() { send = true }: ResendDto,
  ): Promise<IssuedInvitationDto> {
    return IssuedInvitationDto.issued(await this.invitations.resend(principal, id, send));
  }

  /** Withdraw an invitation: its link stops working at once. */
  @Delete(':id')
  async withdraw(@CurrentPrincipal() principal: Principal, @UuidParam('id') id: Buffer | null): Promise<MessageDto> {
    await this.invitations.withdraw(principal, id);
    return { message: 'The invitation has been withdrawn.' };
  }
}
