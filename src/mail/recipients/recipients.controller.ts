import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { RecipientListDto } from './recipient-list.dto.js';
import { RecipientsService } from './recipients.service.js';

@Controller('api/v1/forms/:identifier/recipients')
@RoutesRequire('forms:read', 'forms:write')
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  /** List the recipients of a form, and whether they have confirmed. */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<RecipientListDto> {
    return RecipientListDto.of(await this.recipients.list(principal, identifier));
  }

  /**
   * Ask all unconfirmed recipients again to confirm. An address that was asked within the last 24 hours is left
   * alone; `asked_at` says when.
   */
  @Post('ask')
  @HttpCode(200)
  async ask(@InForm() { principal, identifier }: InForm): Promise<RecipientListDto> {
    return RecipientListDto.of(await this.recipients.ask(principal, identifier));
  }
}
