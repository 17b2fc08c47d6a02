import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { FailingRecipientListDto, TryRecipientDto } from './dto/failing-recipients.dto.js';
import { FailingRecipients } from './failing-recipients.service.js';

@Controller('api/v1/forms/:identifier/recipients/failing')
export class FailingRecipientsController {
  constructor(private readonly failing: FailingRecipients) {}

  /**
   * List recipients of a form that get no more emails, because one came back, newest first: its owners, and up to 100
   * others. Visitors are only listed with `submissions:read`.
   */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FailingRecipientListDto> {
    return FailingRecipientListDto.of(await this.failing.list(principal, identifier));
  }

  /** Send emails to one of these recipients again, until one comes back. */
  @Post('try')
  @HttpCode(200)
  @Requires('forms:write')
  async tryAgain(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { email }: TryRecipientDto,
  ): Promise<FailingRecipientListDto> {
    return FailingRecipientListDto.of(await this.failing.tryAgain(principal, identifier, email));
  }
}
