import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { Config } from '../../platform/config/config.js';
import { sendAttachment } from '../../platform/http/sends/send-attachment.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { ExportQueryDto } from '../../exports/dto/export-query.dto.js';
import { exportFile, type ExportFormat } from '../../exports/export-file.js';
import { ExportService } from '../../exports/export.service.js';
import { NewExportDto } from '../../jobs/dto/new-export.dto.js';
import { ExportJobsService } from '../../jobs/exports/export-jobs.service.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { SentFields, valueFieldsOf } from '../rows/sent-fields.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { checked, textOf, textsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { ExportPage } from './export.page.js';

/** Serves what a filter means in one form as files. */
@WebController('forms/:identifier')
export class ExportPagesController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly jobs: ExportJobsService,
    private readonly forms: FormsService,
    private readonly sent: SentFields,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Choose what an export has. */
  @Get('submissions/export')
  @Allows('export')
  async choose(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const sent = valueFieldsOf(await this.sent.newest(principal, identifier));
    const names = new Set([...form.labels.list.map(({ name }) => name), ...sent]);
    const fields = [...names].map((name) => ({ name, label: form.labels.of(name) }));
    const frame = await this.frames.of(request, response);
    const { timeZone } = principal;
    sendPage(response, ExportPage({ frame, form, line: textOf(query, 'q'), fields, timeZone }));
  }

  /** Make a job that writes an export into a file. */
  @Post('submissions/export')
  @Allows('export')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const columns = textsOf(typed, 'columns');
    const format = textOf(typed, 'format') || 'csv';
    const asked = { format, q: textOf(typed, 'q'), zone: textOf(typed, 'zone') || undefined };
    const input = columns.length === 0 ? asked : { ...asked, columns };
    const layout = NewExportDto.layout(await checked(NewExportDto, input));
    const { id } = await this.jobs.create(principal, identifier, asked.q.trim(), layout);
    redirect(response, `/jobs/${formatUuid(id)}`);
  }

  /** Download submissions as CSV. */
  @Get('submissions.csv')
  @Allows('export')
  csv(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(principal, identifier, 'csv', query, response);
  }

  /** Download submissions as an Excel workbook. */
  @Get('submissions.xlsx')
  @Allows('export')
  xlsx(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(principal, identifier, 'xlsx', query, response);
  }

  /** Download submissions as JSON, one a line. */
  @Get('submissions.ndjson')
  @Allows('export')
  ndjson(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(principal, identifier, 'ndjson', query, response);
  }

  private async send(
    principal: Principal,
    identifier: string,
    format: ExportFormat,
    query: Typed,
    response: Response,
  ): Promise<void> {
    const zone = textOf(query, 'zone') || undefined;
    const asked = await checked(ExportQueryDto, { columns: query.columns, zone });
    const filter = await this.filters.readFor(principal, identifier, textOf(query, 'q'));
    const layout = ExportQueryDto.layout(asked, format);
    await sendAttachment(response, async (unwanted) => {
      const source = await this.exports.begin(principal, identifier, format, filter, unwanted);
      return exportFile(source, layout, this.config.baseUrl);
    });
  }
}
