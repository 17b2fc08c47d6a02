import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { StatisticsDto, StatisticsQueryDto } from './dto/statistics.dto.js';
import { StatisticsService } from './statistics.service.js';

@Controller('api/v1')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  /** Count the submissions of all forms by hour, day, week or month. */
  @Get('statistics')
  @Requires('submissions:read')
  async ofAll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: StatisticsQueryDto,
  ): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofAll(principal, span));
  }

  /** Count the submissions of a form by hour, day, week or month. */
  @Get('forms/:identifier/statistics')
  @Requires('submissions:read')
  async ofForm(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: StatisticsQueryDto,
  ): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofForm(principal, identifier, span));
  }
}
