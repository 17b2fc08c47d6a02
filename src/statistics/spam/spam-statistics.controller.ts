import { Controller, Get, Query } from '@nestjs/common';
import { Requires, InForm } from '../../accounts/access/access.decorators.js';
import { SpamStatisticsDto } from './dto/spam-statistics.dto.js';
import { SpamStatisticsService } from './spam-statistics.service.js';
import { DaysQueryDto } from '../days-query.dto.js';

@Controller('api/v1/forms/:identifier/spam/statistics')
export class SpamStatisticsController {
  constructor(private readonly statistics: SpamStatisticsService) {}

  /** Count the submissions that each signal caught, and how often people corrected it. */
  @Get()
  @Requires('submissions:read')
  async show(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DaysQueryDto,
  ): Promise<SpamStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return SpamStatisticsDto.of(days, await this.statistics.ofForm(principal, identifier, days));
  }
}
