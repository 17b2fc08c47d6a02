import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/wrapped.js';
import { Confirmations } from './confirmations.service.js';
import { ConfirmationDto } from './dto/confirmation.dto.js';

@Controller('api/v1/forms/:identifier/submissions/:id')
export class ConfirmationsController {
  constructor(private readonly confirmations: Confirmations) {}

  /** Show whether a submission waits for its visitor to confirm it, as a form with double opt-in asks. */
  @Get('confirmation')
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<ConfirmationDto> {
    return ConfirmationDto.of(await this.confirmations.show(principal, identifier, id));
  }

  /**
   * Send everything that waits for the visitor of a submission to confirm it. The timeline says who did so; one that is
   * confirmed already stays so.
   */
  @Post('confirm')
  @UuidInPath('id')
  @HttpCode(200)
  @Requires('submissions:write')
  async confirm(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<ConfirmationDto> {
    return ConfirmationDto.of(await this.confirmations.confirmByHand(principal, identifier, id));
  }
}
