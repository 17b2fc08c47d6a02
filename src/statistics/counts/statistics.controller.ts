import { Controller, Get, Query } from '@nestjs/common';
import {
  CurrentPrincipal,
  RoutesRequire,
  InForm,
} from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import { StatisticsDto, StatisticsQueryDto } from './dto/statistics.dto.js';
import { StatisticsService } from './statistics.service.js';

@Controller('api/v1')
@RoutesRequire('submissions:read')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  /** Count the submissions of all forms by hour, day, week or month. */
  @Get('statistics')
  async ofAll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: StatisticsQueryDto,
  ): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofAll(principal, span));
  }

  /** Count the submissions of a form by hour, day, week or month. */
  @Get('forms/:identifier/statistics')
  async ofForm(
    @InForm() { principal, identifier }: InForm,
    @Query() query: StatisticsQueryDto,
  ): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofForm(principal, identifier, span));
  }
}
