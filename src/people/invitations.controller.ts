import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import { InvitationListDto, IssuedInvitationDto, ResendDto } from './dto/invitation.dto.js';
import { InvitationsService } from './invitations/invitations.service.js';

/** Invitations that nobody has accepted yet. */
@Controller('api/v1/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** List pending invitations to the account and its clients, newest first. */
  @Get()
  @Requires('people:read')
  async list(@CurrentPrincipal() principal: Principal): Promise<InvitationListDto> {
    return InvitationListDto.of(await this.invitations.list(principal));
  }

  /** Replace an invitation with a new one: its link is another, and works for seven days. */
  @Post(':id/resend')
  @Requires('people:write')
  @UuidInPath('id')
  async resend(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { send = true }: ResendDto,
  ): Promise<IssuedInvitationDto> {
    return IssuedInvitationDto.issued(await this.invitations.resend(principal, id, send));
  }

  /** Withdraw an invitation: its link stops working at once. */
  @Delete(':id')
  @Requires('people:write')
  @UuidInPath('id')
  async withdraw(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<MessageDto> {
    await this.invitations.withdraw(principal, id);
    return { message: 'The invitation has been withdrawn.' };
  }
}
