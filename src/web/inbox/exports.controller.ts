import { Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { contentDisposition } from '../../platform/http/content-disposition.js';
import { sendStream } from '../../platform/http/send-stream.js';
import {
  EXPORT_TYPES,
  exportContent,
  exportName,
  type ExportFormat,
} from '../../submissions/export/export-file.js';
import { ExportService } from '../../submissions/export/export.service.js';
import { FilterLines } from '../../submissions/search/filter-lines.service.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';

/** Serves what a filter means in one form as files. */
@WebController('forms/:identifier')
export class ExportPagesController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

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

  /** Aborts reading when the browser leaves. */
  private async send(
    principal: Principal,
    identifier: string,
    format: ExportFormat,
    query: Typed,
    response: Response,
  ): Promise<void> {
    const unwanted = new AbortController();
    response.once('close', () => {
      unwanted.abort();
    });
    const filter = await this.filters.readFor(principal, identifier, textOf(query, 'q'));
    const source = await this.exports.begin(principal, identifier, format, filter, unwanted.signal);
    const content = await exportContent(source, format, { baseUrl: this.config.baseUrl });
    const name = exportName(source.form, format, new Date());
    response.set({
      'Content-Type': EXPORT_TYPES[format],
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
    });
    await sendStream(response, content);
  }
}
