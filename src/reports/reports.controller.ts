import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { ReportDto, ReportQueryDto } from './dto/report.dto.js';
import { ReportsService } from './reports.service.js';

@Controller('api/v1/clients/:id/report')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /** Report what the forms of a client received in a month, compared with the month before. A client reads its own. */
  @Get()
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Query() { month }: ReportQueryDto,
  ): Promise<ReportDto> {
    return ReportDto.of(await this.reports.ofClient(principal, id, month ?? null));
  }
}
