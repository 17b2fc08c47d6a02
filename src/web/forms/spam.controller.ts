import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { SetSpamSettingsDto } from '../../spam/dto/set-spam-settings.dto.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { SpamSettingsService } from '../../spam/spam-settings.service.js';
import { SpamStatisticsService } from '../../submissions/verdicts/spam-statistics.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, problemsOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { bodyOf, shownRules, typedRules } from './spam.js';
import { SpamPage } from './spam.page.js';

/** Serves the page that says how a form judges what is sent. */
@WebController('forms/:identifier/spam')
export class SpamPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly settings: SpamSettingsService,
    private readonly lists: SpamLists,
    private readonly statistics: SpamStatisticsService,
    private readonly frames: Frames,
  ) {}

  /** Show what looks for spam, and what it is worth. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const typed = shownRules(await this.settings.get(principal, identifier));
    const frame = await this.frames.of(request, response);
    const lists = await this.lists.get(principal, identifier);
    const caught = await this.statistics.latest(principal, identifier, new Date());
    sendPage(response, SpamPage({ frame, form, typed, lists, problems: [], caught }));
  }

  /** Change how the form judges from now on. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const typed = typedRules(sent, await this.settings.get(principal, identifier));
    try {
      const { spam } = await checked(SetSpamSettingsDto, bodyOf(typed));
      await this.settings.change(principal, identifier, SetSpamSettingsDto.change(spam));
      redirect(response, `/forms/${identifier}/spam`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      const lists = await this.lists.get(principal, identifier);
      const caught = await this.statistics.latest(principal, identifier, new Date());
      sendPage(response, SpamPage({ frame, form, typed, lists, problems, caught }), UNPROCESSABLE);
    }
  }
}
