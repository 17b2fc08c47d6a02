import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { WarningListDto } from './dto/warnings.dto.js';
import { WarningsService } from './warnings.service.js';

@Controller('api/v1/forms/:identifier/warnings')
export class WarningsController {
  constructor(private readonly warnings: WarningsService) {}

  /** List the warnings of a form; empty if it works as configured. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<WarningListDto> {
    return WarningListDto.of(await this.warnings.listFor(principal, identifier));
  }
}
