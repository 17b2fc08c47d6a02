import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { sendAttachment, Sends } from '../platform/http/sends/sends.js';
import { SubmissionFilterDto } from '../search/pages/dto/submission-query.dto.js';
import { CsvQueryDto, ExportQueryDto } from './dto/export-query.dto.js';
import { FilterLines } from '../search/lines/filter-lines.service.js';
import { EXPORT_TYPES, exportFile, type ExportFormat } from './export-file.js';
import { ExportService } from './export.service.js';

@Controller('api/v1/forms/:identifier')
export class ExportsController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * Export submissions as CSV in UTF-8, with a column for each field or each chosen one; formulas in cells are
   * defused.
   */
  @Get('submissions.csv')
  @Requires('submissions:read')
  @Sends('text/csv')
  async csv(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: CsvQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, 'csv', query, response);
  }

  /** Export submissions as JSON, one per line, in the format of the API. */
  @Get('submissions.ndjson')
  @Requires('submissions:read')
  @Sends('application/x-ndjson')
  async ndjson(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: ExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, 'ndjson', query, response);
  }

  /** Export submissions as an Excel workbook: numbers, truths and times as such, no formulas. */
  @Get('submissions.xlsx')
  @Requires('submissions:read')
  @Sends(EXPORT_TYPES.xlsx, { binary: true })
  async xlsx(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: ExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, 'xlsx', query, response);
  }

  private async send(
    principal: Principal,
    identifier: string,
    format: ExportFormat,
    query: CsvQueryDto,
    response: Response,
  ): Promise<void> {
    const { q } = query;
    const filter =
      q === undefined
        ? SubmissionFilterDto.filter(query)
        : await this.filters.readFor(principal, identifier, q);
    const layout = ExportQueryDto.layout(query, format);
    await sendAttachment(response, async (unwanted) => {
      const source = await this.exports.begin(principal, identifier, format, filter, unwanted);
      return exportFile(source, layout, this.config.baseUrl);
    });
  }
}
