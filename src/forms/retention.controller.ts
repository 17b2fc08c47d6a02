import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { Allows, CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { FormsService } from './forms.service.js';
import { RetentionDto } from './dto/retention.dto.js';
import { SetRetentionDto } from './dto/set-retention.dto.js';

@Controller('api/v1/forms/:identifier/retention')
export class RetentionController {
  constructor(private readonly forms: FormsService) {}

  /** Show the retention of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<RetentionDto> {
    const { retentionDays } = await this.forms.get(principal, identifier);
    return { days: retentionDays };
  }

  /** Set the retention of a form. What is older goes within the hour, files too. */
  @Put()
  @Requires('forms:write')
  @Allows('erase')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { days }: SetRetentionDto,
  ): Promise<RetentionDto> {
    const { retentionDays } = await this.forms.setExtras(principal, identifier, {
      retentionDays: days,
    });
    return { days: retentionDays };
  }
}
