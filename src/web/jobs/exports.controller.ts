import { Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows } from '../../access/access.decorators.js';
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
import { checked, textOf, textsOf } from '../parts/typed.js';
import { ExportPage } from './exports.js';
import { goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves what a filter means in one form as files. */
@WebController('forms/:identifier')
export class ExportPagesController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly jobs: ExportJobsService,
    private readonly forms: FormsService,
    private readonly sent: SentFields,
    private readonly config: Config,
  ) {}

  /** Choose what an export has. */
  @Get('submissions/export')
  @Allows('export')
  async choose(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const sent = valueFieldsOf(await this.sent.newest(principal, identifier));
    const names = new Set([...form.labels.list.map(({ name }) => name), ...sent]);
    const fields = [...names].map((name) => ({ name, label: form.labels.of(name) }));
    const { timeZone } = principal;
    return page(ExportPage, { form, line: textOf(query, 'q'), fields, timeZone });
  }

  /** Make a job that writes an export into a file. */
  @Post('submissions/export')
  @Allows('export')
  async create(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    const columns = textsOf(typed, 'columns');
    const format = textOf(typed, 'format') || 'csv';
    const asked = { format, q: textOf(typed, 'q'), zone: textOf(typed, 'zone') || undefined };
    const input = columns.length === 0 ? asked : { ...asked, columns };
    const layout = NewExportDto.layout(await checked(NewExportDto, input));
    const { id } = await this.jobs.create(principal, identifier, asked.q.trim(), layout);
    return goTo(`/jobs/${formatUuid(id)}`);
  }

  /** Download submissions as CSV. */
  @Get('submissions.csv')
  @Allows('export')
  csv(@Asked() input: PageInput, @Res() response: Response): Promise<void> {
    return this.send('csv', input, response);
  }

  /** Download submissions as an Excel workbook. */
  @Get('submissions.xlsx')
  @Allows('export')
  xlsx(@Asked() input: PageInput, @Res() response: Response): Promise<void> {
    return this.send('xlsx', input, response);
  }

  /** Download submissions as JSON, one a line. */
  @Get('submissions.ndjson')
  @Allows('export')
  ndjson(@Asked() input: PageInput, @Res() response: Response): Promise<void> {
    return this.send('ndjson', input, response);
  }

  private async send(
    format: ExportFormat,
    { principal, identifier, query }: PageInput,
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
