import { Injectable } from '@nestjs/common';
import { FailingRecipients } from '../bounces/failing-recipients.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail } from '../mail/attempt-mail.js';
import { Mailer } from '../mail/mailer.js';
import { reportMail } from '../mail/messages/report-mail.js';
import { sentBy } from '../mail/parts/sent-by.js';
import { Readers } from '../mail/readers.js';
import { Config } from '../platform/config/config.js';
import { nameOf } from './month.js';
import { ReportLinks } from './report-links.service.js';
import type { ReportRecipient } from './report-recipient.entity.js';
import type { ClientReport } from './reports.service.js';

/** Mails a report to one recipient. */
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
  async send(
    { client, month, forms, totals, before }: ClientReport,
    { id, accountId, clientId, email }: ReportRecipient,
    messageId: string,
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const failing = await this.failing.among(accountId, [email]);
    if (failing.some((row) => row.stops('owner_email')))
      return attemptResult('refused', 'bounced_before', 'Emails to this address come back.');
    const by = sentBy(
      await this.readers.brandOfClient({ accountId, clientId }, email),
      this.config,
    );
    const content = {
      ...{ clientName: client.name, month: nameOf(month), sums: totals, before },
      forms: forms.map((each) => ({ ...each, name: each.form.name })),
    };
    const links = {
      report: `/clients/${client.id}/report?month=${month}`,
      end: await this.links.pathFor(id),
    };
    const message = reportMail(content, links, by, email);
    return this.timeouts.run((signal) => {
      const ended = AbortSignal.any([signal, ...(unwanted ? [unwanted] : [])]);
      return attemptMail(this.mailer, messageId, message, ended);
    });
  }
}
