import { Body, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { ReadsLong } from '../../platform/http/body.guard.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { SpamSettingsService } from '../../spam/spam-settings.service.js';
import { submissionAddress } from '../inbox/folders.js';
import { lineOf } from '../inbox/submission-views.js';
import { SpamStatisticsService } from '../../submissions/verdicts/spam-statistics.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { problemsOf, textOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { shownRules } from './spam.js';
import { SpamPage } from './spam.page.js';

/** Takes what a form blocks and allows from its page about spam, and from the pages of submissions. */
@WebController('forms/:identifier/spam/lists')
export class SpamListPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly settings: SpamSettingsService,
    private readonly lists: SpamLists,
    private readonly statistics: SpamStatisticsService,
    private readonly frames: Frames,
  ) {}

  /** Replace both lists. */
  @Post()
  @Requires('forms:write')
  @ReadsLong()
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const lists = { block: textOf(sent, 'lists.block'), allow: textOf(sent, 'lists.allow') };
    try {
      await this.lists.change(principal, identifier, lists);
      redirect(response, `/forms/${identifier}/spam`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const typed = shownRules(await this.settings.get(principal, identifier));
      const frame = await this.frames.of(request, response);
      const caught = await this.statistics.latest(principal, identifier, new Date());
      sendPage(response, SpamPage({ frame, form, typed, lists, problems, caught }), UNPROCESSABLE);
    }
  }

  /** Allow the sender of a submission from now on, and go back to it. */
  @Post('allow')
  @Requires('forms:write')
  async allow(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.lists.allow(principal, identifier, textOf(sent, 'entry'));
    const id = parseUuid(textOf(sent, 'submission'));
    const line = lineOf(sent);
    const back =
      id === null
        ? `/forms/${identifier}/spam`
        : submissionAddress(identifier, formatUuid(id), line);
    redirect(response, back, 'sender_allowed');
  }
}
