import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecipientListDto } from './dto/recipient-list.dto.js';
import { RecipientsService } from './recipients.service.js';

@Controller('api/v1/forms/:identifier/recipients')
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  /** List who gets the owner mails of a form, and whether they have confirmed it where they must. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<RecipientListDto> {
    return RecipientListDto.of(await this.recipients.list(principal, identifier));
  }

  /**
   * Send the mail that asks for a confirmation again, to each recipient that has not confirmed. An
   * address that was asked within the last 24 hours is left alone; `asked_at` says when.
   */
  @Post('ask')
  @HttpCode(200)
  @Requires('forms:write')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<RecipientListDto> {
    return RecipientListDto.of(await this.recipients.ask(principal, identifier));
  }
}
