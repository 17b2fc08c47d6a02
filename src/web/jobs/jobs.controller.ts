import { SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, Principal } from '../../accounts/access/index.js';
import { Config, formatUuid } from '../../platform/index.js';
import { sendAttachment, sendRanges } from '../../platform/http/index.js';
import { ExportQueryDto } from '../../jobs/exports/export-query.dto.js';
import { exportFile, type ExportFormat } from '../../jobs/exports/export-file.js';
import { ExportService } from '../../jobs/exports/export.service.js';
import { NewExportDto } from '../../jobs/bulk.dto.js';
import { ExportFiles } from '../../jobs/queue/export-files.service.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { valueFieldsOf, chosenIn, nameOf } from '../rows/rows.js';
import { checked, textOf, textsOf } from '../parts/index.js';
import { ExportPage, JobPage, NewJobPage } from './job.page.js';
import { goTo, page, type PageAnswer, Asked, type PageInput, WebController } from '../kit/index.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { BulkJobsService } from '../../jobs/queue/bulk-jobs.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { inboxAddress } from '../addresses/folders.js';

/** Serves what a filter means in one form as files. */
@WebController('forms/:identifier')
export class ExportPagesController {
  constructor(
    private readonly exports: ExportService,
    private readonly filters: FilterLines,
    private readonly jobs: BulkJobsService,
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionPages,
    private readonly config: Config,
  ) {}

  /** Choose what an export has. */
  @Get('submissions/export')
  @Allows('export')
  async choose(@Asked() { principal, identifier, query }: PageInput) {
    const form = await this.forms.get(principal, identifier);
    const sent = valueFieldsOf(await this.submissions.newest(principal, identifier));
    const names = new Set([...form.fields.list.map(({ name }) => name), ...sent]);
    const fields = [...names].map((name) => ({ name, label: form.fields.labelOf(name) }));
    const { timeZone } = principal;
    return page(ExportPage, { form, line: textOf(query, 'q'), fields, timeZone });
  }

  /** Make a job that writes an export into a file. */
  @Post('submissions/export')
  @Allows('export')
  async create(@Asked() { principal, identifier, typed }: PageInput) {
    const columns = textsOf(typed, 'columns');
    const format = textOf(typed, 'format') || 'csv';
    const asked = { format, q: textOf(typed, 'q'), zone: textOf(typed, 'zone') || undefined };
    const input = columns.length === 0 ? asked : { ...asked, columns };
    const layout = NewExportDto.layout(await checked(NewExportDto, input));
    const { id } = await this.jobs.createExport(principal, identifier, asked.q.trim(), layout);
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

  private async send(format: ExportFormat, { principal, identifier, query }: PageInput, response: Response) {
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

/** Serves the pages of jobs that change all submissions which a filter means. */
@WebController()
export class JobPagesController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly exports: ExportFiles,
    private readonly assignees: AssigneesService,
  ) {}

  /** Ask before a job is made: how many match, and what becomes of them. */
  @Get('new-job')
  @Allows('see')
  async ask(@Asked() { principal, query: sent }: PageInput) {
    const line = textOf(sent, 'q').trim();
    const { changes, fields } = chosenIn(sent, meOf(principal));
    if (fields.length === 0) return goTo(inboxAddress(line), 'nothing_chosen');
    return leadingBack(line, async () => {
      const total = await this.jobs.count(principal, line, changes);
      return page(NewJobPage, {
        ...{ line, changes, fields, total },
        assignee: await this.assigneeOf(principal, changes),
      });
    });
  }

  /** Make a job. */
  @Post('jobs')
  @Allows('see')
  async create(@Asked() { principal, typed }: PageInput) {
    const line = textOf(typed, 'q').trim();
    const { changes, fields } = chosenIn(typed, meOf(principal));
    if (fields.length === 0) return goTo(inboxAddress(line), 'nothing_chosen');
    return leadingBack(line, async () => {
      const { id } = await this.jobs.create(principal, { line, form: null, changes });
      return goTo(`/jobs/${formatUuid(id)}`);
    });
  }

  /** Show the progress of a job. */
  @Get('jobs/:id')
  @Allows('see')
  async show(@Asked() { principal, id }: PageInput) {
    const job = await this.jobs.show(principal, id);
    return page(JobPage, {
      job,
      assignee: await this.assigneeOf(principal, job.changes),
      form: job.export && (await this.exports.formOf(principal, job)),
      file: job.export && (await this.exports.fileOf(principal, job)),
      mayStop: job.isBy(principal.actor) || principal.may('triage'),
    });
  }

  /** Download the file of an export. */
  @Get('jobs/:id/file')
  @Allows('export')
  async file(@Asked() { principal, id }: PageInput, @Res() response: Response): Promise<void> {
    await sendRanges(response, await this.exports.open(principal, id));
  }

  /** Returns the name of the person that a job assigns to. */
  private async assigneeOf(principal: Principal, { assignee }: BulkChanges) {
    if (assignee == null) return null;
    return nameOf((await this.assignees.named(principal, [assignee])).get(assignee));
  }

  /** Stop a job. */
  @Post('jobs/:id/stop')
  @Allows('see')
  async stop(@Asked() { principal, id }: PageInput) {
    const job = await this.jobs.stop(principal, id);
    return goTo(`/jobs/${formatUuid(job.id)}`, 'job_stopped');
  }
}

/** Leads back to the list, which says what of its filter cannot be understood. */
async function leadingBack(line: string, go: () => Promise<PageAnswer>) {
  try {
    return await go();
  } catch (error) {
    if (!(error instanceof FilterUnclear)) throw error;
    return goTo(inboxAddress(line));
  }
}
