import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { contentDisposition } from '../../platform/http/content-disposition.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { Sends } from '../../platform/http/sends.js';
import { SubmissionFilterDto } from '../dto/submission-query.dto.js';
import { CsvQueryDto } from '../dto/csv-query.dto.js';
import { FilterLines } from '../search/filter-lines.service.js';
import { csv } from './csv.js';
import { ExportService, type Export } from './export.service.js';
import { ndjson } from './ndjson.js';
import { xlsx } from './xlsx.js';

const NAME_MAX_LENGTH = 100;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

@Controller('api/v1/forms/:identifier')
export class ExportsController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * Export submissions as CSV, UTF-8, a column for every field; cells that look like formulas are defused.
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
    const source = await this.begin(principal, identifier, 'csv', query, response);
    await send(
      response,
      source,
      'csv',
      'text/csv; charset=utf-8',
      csv(source, query.separator ?? 'comma'),
    );
  }

  /** Export submissions as JSON, one a line, each as the API shows it. */
  @Get('submissions.ndjson')
  @Requires('submissions:read')
  @Sends('application/x-ndjson')
  async ndjson(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: SubmissionFilterDto,
    @Res() response: Response,
  ): Promise<void> {
    const source = await this.begin(principal, identifier, 'ndjson', query, response);
    const content = ndjson(source, this.config.baseUrl);
    await send(response, source, 'ndjson', 'application/x-ndjson; charset=utf-8', content);
  }

  /** Export submissions as an Excel workbook: numbers, truths and times as such, no formulas. */
  @Get('submissions.xlsx')
  @Requires('submissions:read')
  @Sends(XLSX, { binary: true })
  async xlsx(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: SubmissionFilterDto,
    @Res() response: Response,
  ): Promise<void> {
    const source = await this.begin(principal, identifier, 'xlsx', query, response);
    await send(response, source, 'xlsx', XLSX, await xlsx(source));
  }

  /**
   * Aborts the export when the client leaves. Field names are collected before the first byte, so a client
   * may leave before a response exists.
   */
  private async begin(
    principal: Principal,
    identifier: string,
    format: string,
    query: SubmissionFilterDto,
    response: Response,
  ): Promise<Export> {
    const unwanted = new AbortController();
    response.once('close', () => {
      unwanted.abort();
    });
    const { q } = query;
    const filter =
      q === undefined
        ? SubmissionFilterDto.filter(query)
        : await this.filters.readFor(principal, identifier, q);
    return this.exports.begin(principal, identifier, format, filter, unwanted.signal);
  }
}

/** Sends the content as a download, named after the form and the day. */
async function send(
  response: Response,
  { form }: Export,
  ending: string,
  type: string,
  content: Readable | AsyncIterable<string>,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const name = form.name.replace(/[/\\]/g, '-').slice(0, NAME_MAX_LENGTH);
  response.set('Content-Type', type);
  response.set('Content-Disposition', contentDisposition(`${name} ${day}.${ending}`));
  await sendStream(response, content);
}
