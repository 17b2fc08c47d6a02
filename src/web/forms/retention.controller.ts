import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { SetRetentionDto } from '../../forms/dto/set-retention.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { RetentionPage } from './retention.page.js';

/** Serves the page that says how long a form keeps its submissions. */
@WebController('forms/:identifier/retention')
export class RetentionPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show the retention of a form. */
  @Get()
  @Requires('forms:write')
  @Allows('erase')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const frame = await this.frames.of(request, response);
    const days = String(form.retentionDays ?? '');
    const kept = form.retentionDays;
    sendPage(
      response,
      RetentionPage({
        frame,
        form: await this.heads.of(principal, form),
        kept,
        days,
        problems: [],
      }),
    );
  }

  /** Set the retention of a form; nothing keeps them. */
  @Post()
  @Requires('forms:write')
  @Allows('erase')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const days = textOf(typed, 'days').trim();
    try {
      const retention = { days: days === '' ? null : Number(days) };
      const { days: retentionDays } = await checked(SetRetentionDto, retention);
      await this.forms.setExtras(principal, identifier, { retentionDays });
      redirect(response, `/forms/${identifier}/retention`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      sendPage(
        response,
        RetentionPage({
          frame,
          form: await this.heads.of(principal, form),
          kept: form.retentionDays,
          days,
          problems,
        }),
        UNPROCESSABLE,
      );
    }
  }
}
