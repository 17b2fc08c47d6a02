import { Body, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { NotAllowedHere } from '../../access/access.errors.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { InstanceService } from '../../operations/doctor/instance.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { SetWeeklyMailDto } from '../../reports/dto/weekly-mail.dto.js';
import { ReportMails, type SentReport } from '../../reports/report-mails.service.js';
import { WHOLE_ACCOUNT } from '../../reports/week.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { isTold, Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { StatusPage } from './status.page.js';

interface Asked {
  principal: Principal;
  isOperator: boolean;
  request: Request;
  response: Response;
}

/** Serves the pages about the warnings of all forms, and for operators about the whole service. */
@WebController('status')
export class StatusController {
  constructor(
    private readonly troubles: Troubles,
    private readonly instance: InstanceService,
    private readonly mails: ReportMails,
    private readonly frames: Frames,
  ) {}

  /** List the forms that need attention. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { isOperator }: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send({ principal, isOperator, request, response });
  }

  /** Change who gets the weekly email. */
  @Post('weekly-mail')
  @Requires('clients:write')
  async changeWeekly(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { isOperator }: SignedIn,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = textOf(sent, 'weekly_mail.recipients');
    const recipients = typed.split(',').filter((part) => part.trim() !== '');
    try {
      const body = await checked(SetWeeklyMailDto, { weekly_mail: { recipients } });
      await this.mails.replace(principal, WHOLE_ACCOUNT, body.weekly_mail.recipients);
      redirect(response, '/status', 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send({ principal, isOperator, request, response }, { typed, problems });
    }
  }

  /** Send it now, and show what the mail server said. */
  @Post('weekly-mail/send')
  @Requires('clients:write')
  async sendWeekly(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { isOperator }: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = await this.mails.sendWeekly(principal);
    await this.send({ principal, isOperator, request, response }, { sent });
  }

  /** Run every check now, also those that take a while. */
  @Post('checks')
  async check(@CurrentPerson() { isOperator }: SignedIn, @Res() response: Response): Promise<void> {
    if (!isOperator) throw new NotAllowedHere();
    await this.instance.check();
    redirect(response, '/status', 'checked');
  }

  /** Mend what can be mended by itself, and run every check. */
  @Post('mend')
  async mend(@CurrentPerson() { isOperator }: SignedIn, @Res() response: Response): Promise<void> {
    if (!isOperator) throw new NotAllowedHere();
    await this.instance.mend();
    redirect(response, '/status', 'mended');
  }

  private async send(
    { principal, isOperator, request, response }: Asked,
    about: { typed?: string; problems?: FieldProblem[]; sent?: SentReport[] } = {},
  ): Promise<void> {
    if (!isTold(principal) && !isOperator) throw new NotAllowedHere();
    const troubles = await this.troubles.of(principal);
    const mayChange = principal.has('forms:write');
    const instance = isOperator ? await this.instance.state() : null;
    const mayMail = principal.clientId === null && principal.has('clients:write');
    const mail = mayMail ? await this.mails.show(principal, WHOLE_ACCOUNT) : null;
    const typed = mail?.recipients.join(', ') ?? '';
    const weekly = mail && { mail, typed, problems: [], sent: [], ...about };
    const frame = await this.frames.of(request, response);
    const page = StatusPage({ frame, troubles, mayChange, instance, weekly });
    sendPage(response, page, about.problems ? UNPROCESSABLE : undefined);
  }
}
