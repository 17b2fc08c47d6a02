import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { RefusalListDto, RefusalsQueryDto } from './dto/refusals.dto.js';
import { RefusalsService } from './refusals.service.js';

@Controller('api/v1/forms/:identifier/refusals')
export class RefusalsController {
  constructor(private readonly refusals: RefusalsService) {}

  /**
   * Count the submissions that a form refused in the last days, by hour and reason, for example because a field was missing.
   * Those of the last minute are not counted yet. We keep these counts for 60 days.
   */
  @Get()
  @Requires('submissions:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: RefusalsQueryDto,
  ): Promise<RefusalListDto> {
    const days = RefusalsQueryDto.days(query);
    return RefusalListDto.of(await this.refusals.ofForm(principal, identifier, days));
  }
}
