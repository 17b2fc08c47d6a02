import { Injectable, Logger } from '@nestjs/common';
import type { Client } from '../clients/client.entity.js';
import { ClientsService } from '../clients/clients.service.js';
import type { AttemptResult } from '../deliveries/model/attempt-result.js';
import { LEASE_SECONDS } from '../deliveries/queue/call-timeouts.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { LeasedWork, type Leased } from '../platform/background/leased-work.js';
import { turnIdOf } from '../platform/database/due-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { MINUTE_MS } from '../platform/kernel/time/durations.js';
import { ReportPost } from './report-post.service.js';
import type { ReportRecipient } from './report-recipient.entity.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { ReportsService } from './reports.service.js';
import { WeeklyStates } from './weekly-state.service.js';

/** Sends a mail that is written, under the id of its turn. */
type Send = (id: string, unwanted: AbortSignal) => Promise<AttemptResult>;

/**
 * Mails the reports of a month that is over, and the weekly mails. Workers on one database claim recipients with a lease. A worker that is
 * killed between the mail server's answer and its commit leaves a report that is sent once more under the same id of
 * a message, as with other mails.
 */
@Injectable()
export class ReportMailWorker {
  private readonly logger = new Logger(ReportMailWorker.name);

  constructor(
    private readonly rows: ReportRecipientsRepository,
    private readonly reports: ReportsService,
    private readonly weekly: WeeklyStates,
    private readonly post: ReportPost,
    private readonly clients: ClientsService,
    private readonly recipients: RecipientsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sends what is due. */
  @BackgroundTask('mail reports', MINUTE_MS)
  work({ now, signal }: TaskRun): Promise<void> {
    const { rows } = this;
    const due = new LeasedWork(this.unitOfWork, rows.leasesAt(now), LEASE_SECONDS);
    return due.each(async (leased) => {
      const { row, token, unwanted } = leased;
      const isDone = await this.take(leased).catch((error: unknown) => {
        this.logger.warn('A report could not be mailed', { error });
        return false;
      });
      // What the end of the process interrupts is no try.
      if (!isDone && unwanted.aborted) return;
      const again = isDone ? null : row.fail();
      if (!isDone && again === null)
        this.logger.warn('A report is given up', { clientId: row.clientId, tries: row.tries });
      if (again === null) row.advance(now);
      await this.unitOfWork.run((tx) => rows.in(tx).store(row, token, again ?? undefined));
    }, signal);
  }

  /** Mails a report, unless its recipient has yet to confirm. @returns false when it is to be tried again */
  private async take({ row, unwanted, lost }: Leased<ReportRecipient>): Promise<boolean> {
    const { accountId, clientId, email } = row;
    const client = row.isWeekly ? null : await this.clients.find(accountId, clientId);
    const reached = await this.recipients.reachable(accountId, [email]);
    if (!(client ?? row.isWeekly) || reached.length === 0) return true;
    const send = client ? await this.reportOf(client, row) : await this.weeklyOf(row);
    if (unwanted.aborted) return false;
    const { verdict, answer } = await send(turnIdOf(row), lost);
    if (verdict === 'delivered') return true;
    this.logger.warn('A report could not be mailed', { clientId, verdict, answer });
    return verdict === 'refused';
  }

  private async reportOf(client: Client, row: ReportRecipient): Promise<Send> {
    const report = await this.reports.of(client, row.month);
    return (id, unwanted) => this.post.send(report, row, id, unwanted);
  }

  private async weeklyOf(row: ReportRecipient): Promise<Send> {
    const state = await this.weekly.of(row.accountId);
    return (id, unwanted) => this.post.sendWeekly(state, row, id, unwanted);
  }
}
