import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecipientListDto } from './dto/recipient-list.dto.js';
import { RecipientsService } from './recipients.service.js';

@Controller('api/v1/forms/:identifier/recipients')
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  /** List the recipients of a form, and whether they have confirmed. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<RecipientListDto> {
    return RecipientListDto.of(await this.recipients.list(principal, identifier));
  }

  /**
   * Ask all unconfirmed recipients again to confirm. An address that was asked within the last 24 hours is left
   * alone; `asked_at` says when.
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
