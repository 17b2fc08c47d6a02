import { Controller, Get, Query } from '@nestjs/common';
import { Requires, InForm } from '../../../accounts/access/access.decorators.js';
import { RefusalListDto, RefusalsQueryDto } from './dto/refusals.dto.js';
import { RefusalsService } from './refusals.service.js';

@Controller('api/v1/forms/:identifier/refusals')
export class RefusalsController {
  constructor(private readonly refusals: RefusalsService) {}

  /**
   * Count the submissions that a form refused in the last days, by hour and reason, for example because a field was missing.
   * Those of the last minute are not counted yet.
   */
  @Get()
  @Requires('submissions:read')
  async list(
    @InForm() { principal, identifier }: InForm,
    @Query() query: RefusalsQueryDto,
  ): Promise<RefusalListDto> {
    const days = RefusalsQueryDto.days(query);
    return RefusalListDto.of(await this.refusals.ofForm(principal, identifier, days));
  }
}
