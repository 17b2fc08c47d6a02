import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { NotAllowedHere } from '../../access/access.errors.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { InstanceService } from '../../operations/doctor/instance.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { isTold, Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import { StatusPage } from './status.page.js';

/** Serves the pages about the warnings of all forms, and for operators about the whole service. */
@WebController('status')
export class StatusController {
  constructor(
    private readonly troubles: Troubles,
    private readonly instance: InstanceService,
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
    if (!isTold(principal) && !isOperator) throw new NotAllowedHere();
    const troubles = await this.troubles.of(principal);
    const mayChange = principal.has('forms:write');
    const instance = isOperator ? await this.instance.state() : null;
    const frame = await this.frames.of(request, response);
    sendPage(response, StatusPage({ frame, troubles, mayChange, instance }));
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
}
