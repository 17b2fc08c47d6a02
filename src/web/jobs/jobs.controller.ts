import { Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { sendRanges } from '../../platform/http/sends/send-ranges.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { ExportJobsService } from '../../jobs/exports/export-jobs.service.js';
import { BulkJobsService } from '../../jobs/queue/bulk-jobs.service.js';
import { meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { textOf } from '../parts/typed.js';
import { chosenIn } from '../rows/changes.js';
import { inboxAddress } from '../addresses/folders.js';
import { JobPage, NewJobPage } from './job.page.js';
import { nameOf } from '../rows/rows.js';
import { goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the pages of jobs that change all submissions which a filter means. */
@WebController()
export class JobPagesController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly exports: ExportJobsService,
    private readonly assignees: AssigneesService,
  ) {}

  /** Ask before a job is made: how many match, and what becomes of them. */
  @Get('new-job')
  @Allows('see')
  async ask(@Asked() { principal, query: sent }: PageInput): Promise<PageAnswer> {
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
  async create(@Asked() { principal, typed }: PageInput): Promise<PageAnswer> {
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
  async show(@Asked() { principal, id }: PageInput): Promise<PageAnswer> {
    const job = await this.jobs.show(principal, id);
    return page(JobPage, {
      id: formatUuid(job.id),
      line: job.line,
      changes: job.changes,
      assignee: await this.assigneeOf(principal, job.changes),
      state: job.state,
      isOpen: job.isOpen,
      done: job.done,
      changed: job.changed,
      total: job.total,
      author: job.actorName,
      createdAt: job.createdAt,
      endedAt: job.endedAt,
      error: job.errorMessage,
      export: job.export && {
        format: job.export.layout.format,
        form: await this.exports.formOf(principal, job),
        file: await this.exports.fileOf(principal, job),
      },
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
  private async assigneeOf(
    principal: Principal,
    { assignee }: BulkChanges,
  ): Promise<string | null> {
    if (assignee == null) return null;
    return nameOf((await this.assignees.named(principal, [assignee])).get(assignee));
  }

  /** Stop a job. */
  @Post('jobs/:id/stop')
  @Allows('see')
  async stop(@Asked() { principal, id }: PageInput): Promise<PageAnswer> {
    const job = await this.jobs.stop(principal, id);
    return goTo(`/jobs/${formatUuid(job.id)}`, 'job_stopped');
  }
}

/** Leads back to the list, which says what of its filter cannot be understood. */
async function leadingBack(line: string, go: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await go();
  } catch (error) {
    if (!(error instanceof FilterUnclear)) throw error;
    return goTo(inboxAddress(line));
  }
}
