import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { Confirmations } from './confirmations.service.js';
import { ConfirmationDto } from './confirmation.dto.js';

@Controller('api/v1/forms/:identifier/submissions/:id')
@RoutesRequire('submissions:read', 'submissions:write')
export class ConfirmationsController {
  constructor(private readonly confirmations: Confirmations) {}

  /** Show whether a submission waits for its visitor to confirm it, as a form with double opt-in asks. */
  @Get('confirmation')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<ConfirmationDto> {
    return ConfirmationDto.of(await this.confirmations.show(principal, identifier, id));
  }

  /**
   * Send everything that waits for the visitor of a submission to confirm it. The timeline says who did so; one that is
   * confirmed already stays so.
   */
  @Post('confirm')
  @HttpCode(200)
  async confirm(@InForm('id') { principal, identifier, id }: InForm): Promise<ConfirmationDto> {
    return ConfirmationDto.of(await this.confirmations.confirmByHand(principal, identifier, id));
  }
}
