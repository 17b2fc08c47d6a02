import { Get, Post } from '@nestjs/common';
import { Requires, NotAllowedHere, Principal } from '../../accounts/access/index.js';
import { InstanceService } from '../../operations/doctor/doctor.service.js';
import type { FieldProblem } from '../../platform/index.js';
import { SetWeeklyMailDto } from '../../reports/report.dto.js';
import { ReportMails, type SentReport } from '../../reports/report-mails.service.js';
import { isTold } from '../../health/finding.js';
import { HealthService } from '../../health/health.service.js';
import { checked, textOf } from '../parts/index.js';
import { StatusPage } from './status.page.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Serves the pages about what is wrong with forms, and for operators about the whole service. */
@WebController('status')
export class StatusController {
  constructor(
    private readonly health: HealthService,
    private readonly instance: InstanceService,
    private readonly mails: ReportMails,
  ) {}

  /** List the forms that need attention. */
  @Get()
  @Requires('forms:read')
  async list(@Asked() { principal, signedIn: { isOperator } }: PageInput) {
    return this.page(principal, isOperator);
  }

  /** Change who gets the weekly email. */
  @Post('weekly-mail')
  @Requires('clients:write')
  async changeWeekly(@Asked() { principal, signedIn: { isOperator }, typed: sent }: PageInput) {
    const typed = textOf(sent, 'weekly_mail.recipients');
    const recipients = typed.split(',').filter((part) => part.trim() !== '');
    return attempt(
      async () => {
        const body = await checked(SetWeeklyMailDto, { weekly_mail: { recipients } });
        await this.mails.replace(principal, null, body.weekly_mail.recipients);
        return goTo('/status', 'saved');
      },
      (problems) => this.page(principal, isOperator, { typed, problems }),
    );
  }

  /** Send it now, and show what the mail server said. */
  @Post('weekly-mail/send')
  @Requires('clients:write')
  async sendWeekly(@Asked() { principal, signedIn: { isOperator } }: PageInput) {
    const sent = await this.mails.sendWeekly(principal);
    return this.page(principal, isOperator, { sent });
  }

  /** Run every check now, also those that take a while. */
  @Post('checks')
  async check(@Asked() { signedIn: { isOperator } }: PageInput) {
    if (!isOperator) throw new NotAllowedHere();
    await this.instance.check();
    return goTo('/status', 'checked');
  }

  /** Mend what can be mended by itself, and run every check. */
  @Post('mend')
  async mend(@Asked() { signedIn: { isOperator } }: PageInput) {
    if (!isOperator) throw new NotAllowedHere();
    await this.instance.mend();
    return goTo('/status', 'mended');
  }

  private async page(
    principal: Principal,
    isOperator: boolean,
    about: { typed?: string; problems?: FieldProblem[]; sent?: SentReport[] } = {},
  ) {
    if (!isTold(principal) && !isOperator) throw new NotAllowedHere();
    const told = await this.health.list(principal);
    const mayChange = principal.has('forms:write');
    const instance = isOperator ? await this.instance.state() : null;
    const mayMail = principal.clientId === null && principal.has('clients:write');
    const mail = mayMail ? await this.mails.show(principal, null) : null;
    const typed = mail?.recipients.join(', ') ?? '';
    const weekly = mail && { mail, typed, problems: [], sent: [], ...about };
    return page(StatusPage, { told, mayChange, instance, weekly });
  }
}
