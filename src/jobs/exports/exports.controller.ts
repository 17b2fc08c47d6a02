import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RoutesRequire, InForm, Principal } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { sendAttachment, Sends } from '../../platform/http/index.js';
import { SubmissionFilterDto } from '../../search/pages/submission-list.dto.js';
import { CsvQueryDto, ExportQueryDto } from './export-query.dto.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { EXPORT_TYPES, exportFile, type ExportFormat } from './export-file.js';
import { ExportService } from './export.service.js';

@Controller('api/v1/forms/:identifier')
@RoutesRequire('submissions:read')
export class ExportsController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * Export submissions as CSV in UTF-8, with a column for each field or each chosen one; formulas in cells are defused.
   */
  @Get('submissions.csv')
  @Sends('text/csv')
  async csv(
    @InForm() { principal, identifier }: InForm,
    @Query() query: CsvQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, 'csv', query, response);
  }

  /** Export submissions as JSON, one per line, in the format of the API. */
  @Get('submissions.ndjson')
  @Sends('application/x-ndjson')
  async ndjson(
    @InForm() { principal, identifier }: InForm,
    @Query() query: ExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, 'ndjson', query, response);
  }

  /** Export submissions as an Excel workbook: numbers, truths and times as such, no formulas. */
  @Get('submissions.xlsx')
  @Sends(EXPORT_TYPES.xlsx, { binary: true })
  async xlsx(
    @InForm() { principal, identifier }: InForm,
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
  ) {
    const { q } = query;
    const filter =
      q === undefined ? SubmissionFilterDto.filter(query) : await this.filters.readFor(principal, identifier, q);
    const layout = ExportQueryDto.layout(query, format);
    await sendAttachment(response, async (unwanted) => {
      const source = await this.exports.begin(principal, identifier, format, filter, unwanted);
      return exportFile(source, layout, this.config.baseUrl);
    });
  }
}
