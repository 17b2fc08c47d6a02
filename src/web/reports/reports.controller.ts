import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { SetReportMailDto } from '../../reports/dto/report-mail.dto.js';
import { addMonths, lastMonth, parseMonth } from '../../reports/month.js';
import { ReportMails, type SentReport } from '../../reports/report-mails.service.js';
import { ReportsService } from '../../reports/reports.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { statisticsWords } from '../statistics/words.js';
import { ReportPage, type ReportPageProps } from './report.page.js';

interface Asked {
  principal: Principal;
  id: number;
  request: Request;
  response: Response;
}

/** Serves the monthly report of a client. */
@WebController('clients/:id/report')
export class ReportPagesController {
  constructor(
    private readonly reports: ReportsService,
    private readonly mails: ReportMails,
    private readonly frames: Frames,
    private readonly clock: Clock,
  ) {}

  /** Report a month; the last one that is over by default. */
  @Get()
  @Requires('submissions:read')
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send({ principal, id, request, response }, sent);
  }

  /** Change who gets it by mail. */
  @Post('mail')
  @Requires('clients:write')
  async changeMail(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = textOf(sent, 'report_mail.recipients');
    const recipients = typed.split(',').filter((part) => part.trim() !== '');
    try {
      const body = await checked(SetReportMailDto, { report_mail: { recipients } });
      await this.mails.replace(principal, id, body.report_mail.recipients);
      redirect(
        response,
        `/clients/${id}/report?month=${parseMonth(textOf(sent, 'month')) ?? ''}`,
        'saved',
      );
    } catch (error) {
      const problems = problemsOf(error);
      await this.send({ principal, id, request, response }, sent, { typed, problems });
    }
  }

  /** Mail it now, and show what the mail server said. */
  @Post('mail/send')
  @Requires('clients:write')
  async sendMail(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = await this.mails.send(principal, id, parseMonth(textOf(typed, 'month')));
    await this.send({ principal, id, request, response }, typed, { sent });
  }

  private async send(
    { principal, id, request, response }: Asked,
    asked: Typed | undefined,
    about: { typed?: string; problems?: FieldProblem[]; sent?: SentReport[] } = {},
  ): Promise<void> {
    const report = await this.reports.ofClient(principal, id, parseMonth(textOf(asked, 'month')));
    const frame = await this.frames.of(request, response);
    const now = addMonths(lastMonth(this.clock.now()), 1);
    const mail = mayMail(principal) ? await this.mails.show(principal, id) : null;
    const typed = mail?.recipients.join(', ') ?? '';
    const page = ReportPage({
      ...{ frame, report, now, ...placeFor(principal, report.client) },
      mail: mail && { mail, typed, problems: [], sent: [], ...about },
    });
    sendPage(response, page, about.problems ? UNPROCESSABLE : undefined);
  }
}

function mayMail(principal: Principal): boolean {
  return principal.clientId === null && principal.has('clients:write');
}

/** Returns where a report stands: below its client for who can open that, else below the statistics. */
function placeFor(
  principal: Principal,
  { id, name }: ReportPageProps['report']['client'],
): Pick<ReportPageProps, 'up' | 'section'> {
  return mayMail(principal)
    ? { up: { href: `/clients/${id}`, label: name }, section: 'clients' }
    : { up: { href: '/statistics', label: statisticsWords.title }, section: 'forms' };
}
