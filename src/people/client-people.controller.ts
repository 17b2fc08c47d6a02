import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { ChangeClientMemberDto, withSee } from './dto/change-member.dto.js';
import { InviteClientMemberDto, IssuedInvitationDto } from './dto/invitation.dto.js';
import { ClientPersonDto, ClientPersonListDto, PersonSessionListDto } from './dto/member.dto.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersService } from './members/members.service.js';

/** Lists and changes the people who act for a client: they see the forms that it is granted, and nothing else. */
@Controller('api/v1/clients/:id/people')
export class ClientPeopleController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  /** List the people of a client, oldest first. */
  @Get()
  @Requires('people:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
  ): Promise<ClientPersonListDto> {
    return ClientPersonListDto.of(await this.members.list(principal, id));
  }

  /** Invite a person to a client, by email or with a link that you pass on. */
  @Post()
  @Requires('people:write')
  async invite(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() body: InviteClientMemberDto,
  ): Promise<IssuedInvitationDto> {
    const { email, name, send = true } = body.person;
    const standing = InviteClientMemberDto.standing(body, id);
    return IssuedInvitationDto.issued(
      await this.invitations.invite(principal, { email, name }, standing, send),
    );
  }

  /** Change the permissions of a person of a client, or suspend them. */
  @Patch(':personId')
  @Requires('people:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Body() { person: { actions, disabled } }: ChangeClientMemberDto,
  ): Promise<ClientPersonDto> {
    const standing = actions === undefined ? null : { clientId: id, actions: withSee(actions) };
    return ClientPersonDto.of(
      await this.members.change(principal, personId, id, {
        standing,
        isDisabled: disabled ?? null,
      }),
    );
  }

  /** List the sessions of a person of a client, newest first. */
  @Get(':personId/sessions')
  @Requires('people:read')
  async sessions(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
  ): Promise<PersonSessionListDto> {
    return PersonSessionListDto.of(await this.members.sessionsOf(principal, personId, id));
  }

  /** Sign a person of a client out on all devices, immediately. */
  @Delete(':personId/sessions')
  @Requires('people:write')
  async endSessions(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
  ): Promise<MessageDto> {
    await this.members.endSessions(principal, personId, id);
    return { message: 'The person has been signed out everywhere.' };
  }

  /** Remove a person from a client, immediately. */
  @Delete(':personId')
  @Requires('people:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
  ): Promise<MessageDto> {
    await this.members.remove(principal, personId, id);
    return { message: 'The person has been removed from the client.' };
  }
}
