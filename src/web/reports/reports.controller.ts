import { Get, Post } from '@nestjs/common';
import { Allows, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { type FieldProblem, Clock } from '../../platform/index.js';
import { SetReportMailDto } from '../../reports/report.dto.js';
import { addMonths, lastMonth, parseMonth } from '../../reports/week.js';
import { ReportMails, type SentReport } from '../../reports/report-mails.service.js';
import { ReportsService } from '../../reports/reports.service.js';
import { checked, textOf, type Typed } from '../parts/index.js';
import { ReportPage } from './report.page.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Serves the monthly report of a client. */
@WebController('clients/:id/report')
@RoutesRequire('submissions:read', 'clients:write')
export class ReportPagesController {
  constructor(
    private readonly reports: ReportsService,
    private readonly mails: ReportMails,
    private readonly clock: Clock,
  ) {}

  /** Report a month; the last one that is over by default. */
  @Get()
  @Allows('see')
  async show(@Asked() { principal, query: sent, recordId: id }: PageInput) {
    return this.page(principal, id, sent);
  }

  /** Change who gets it by mail. */
  @Post('mail')
  async changeMail(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const typed = textOf(sent, 'report_mail.recipients');
    const recipients = typed.split(',').filter((part) => part.trim() !== '');
    return attempt(
      async () => {
        const body = await checked(SetReportMailDto, { report_mail: { recipients } });
        await this.mails.replace(principal, id, body.report_mail.recipients);
        return goTo(`/clients/${id}/report?month=${parseMonth(textOf(sent, 'month')) ?? ''}`, 'saved');
      },
      (problems) => this.page(principal, id, sent, { typed, problems }),
    );
  }

  /** Mail it now, and show what the mail server said. */
  @Post('mail/send')
  async sendMail(@Asked() { principal, typed, recordId: id }: PageInput) {
    const sent = await this.mails.send(principal, id, parseMonth(textOf(typed, 'month')));
    return this.page(principal, id, typed, { sent });
  }

  private async page(
    principal: Principal,
    id: number,
    asked: Typed | undefined,
    about: { typed?: string; problems?: FieldProblem[]; sent?: SentReport[] } = {},
  ) {
    const report = await this.reports.ofClient(principal, id, parseMonth(textOf(asked, 'month')));
    const now = addMonths(lastMonth(this.clock.now()), 1);
    const mail = mayMail(principal) ? await this.mails.show(principal, id) : null;
    const typed = mail?.recipients.join(', ') ?? '';
    return page(ReportPage, {
      ...{ report, now, isOfAccount: mayMail(principal) },
      mail: mail && { mail, typed, problems: [], sent: [], ...about },
    });
  }
}

function mayMail(principal: Principal) {
  return principal.clientId === null && principal.has('clients:write');
}
