import { Injectable } from '@nestjs/common';
import { FailingRecipients } from '../bounces/failing-recipients.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail } from '../mail/attempt-mail.js';
import { Mailer } from '../mail/mailer.js';
import { reportMail, weeklyMail } from '../mail/messages/report-mails.js';
import type { Message } from '../mail/parts/message.js';
import { sentBy, type SentBy } from '../mail/parts/sent-by.js';
import { Readers } from '../mail/readers.js';
import { Config } from '../platform/config/config.js';
import { nameOf } from './month.js';
import { ReportLinks } from './report-links.service.js';
import type { ReportRecipient } from './report-recipient.entity.js';
import type { ClientReport } from './reports.service.js';
import type { WeeklyState } from './weekly-state.service.js';

/** Mails a report, or the weekly mail, to one recipient. */
@Injectable()
export class ReportPost {
  constructor(
    private readonly readers: Readers,
    private readonly links: ReportLinks,
    private readonly failing: FailingRecipients,
    private readonly mailer: Mailer,
    private readonly timeouts: CallTimeouts,
    private readonly config: Config,
  ) {}

  /**
   * Sends a report like the client, or like the account to one of its own people, and says how that ended. Nothing goes
   * to an address whose emails come back.
   * @param messageId the same for each try of one mail
   * @param unwanted ends it early
   */
  send(
    { client, month, forms, totals, before }: ClientReport,
    row: ReportRecipient,
    messageId: string,
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const content = {
      ...{ clientName: client.name, month: nameOf(month), sums: totals, before },
      forms: forms.map((each) => ({ ...each, name: each.form.name })),
    };
    const report = `/clients/${client.id}/report?month=${month}`;
    const write = (end: string, by: SentBy) => reportMail(content, { report, end }, by, row.email);
    return this.deliver(row, write, messageId, unwanted);
  }

  /** Sends the weekly mail like the account, and says how that ended. */
  sendWeekly(
    state: WeeklyState,
    row: ReportRecipient,
    messageId: string,
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const write = (end: string, by: SentBy) => weeklyMail(state, end, by, row.email);
    return this.deliver(row, write, messageId, unwanted);
  }

  /** @param write gets the path that ends these mails */
  private async deliver(
    { id, accountId, clientId, isWeekly, email }: ReportRecipient,
    write: (end: string, by: SentBy) => Message,
    messageId: string,
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const failing = await this.failing.among(accountId, [email]);
    if (failing.some((row) => row.stops('owner_email')))
      return attemptResult('refused', 'bounced_before', 'Emails to this address come back.');
    const scope = { accountId, clientId: isWeekly ? null : clientId };
    const by = sentBy(await this.readers.brandOfClient(scope, email), this.config);
    const message = write(await this.links.pathFor(id), by);
    return this.timeouts.run((signal) => {
      const ended = AbortSignal.any([signal, ...(unwanted ? [unwanted] : [])]);
      return attemptMail(this.mailer, messageId, message, ended);
    });
  }
}
