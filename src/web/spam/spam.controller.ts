import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { SetSpamSettingsDto } from '../../spam/dto/set-spam-settings.dto.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { SpamSettingsService } from '../../spam/spam-settings.service.js';
import { RejudgeService } from '../../jobs/queue/rejudge.service.js';
import { SpamStatisticsService } from '../../statistics/spam/spam-statistics.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { bodyOf, shownRules, typedRules } from './spam.js';
import { CUSTOM_LEVEL } from './levels.js';
import { SpamPage, type SpamPageProps } from './spam.page.js';

/** Input to show instead of stored values, with its problems. */
type Shown = Pick<SpamPageProps, 'problems'> &
  Partial<Pick<SpamPageProps, 'typed' | 'lists' | 'again'>>;

/** Serves the page that says how a form judges what is sent, and what it blocks and allows. */
@WebController('forms/:identifier/spam')
export class SpamPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly settings: SpamSettingsService,
    private readonly lists: SpamLists,
    private readonly statistics: SpamStatisticsService,
    private readonly rejudging: RejudgeService,
    private readonly heads: FormHeads,
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
    await this.send(principal, identifier, request, response);
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
    const typed = typedRules(sent, await this.settings.get(principal, identifier));
    try {
      const { spam } = await checked(SetSpamSettingsDto, bodyOf(typed));
      await this.settings.change(principal, identifier, SetSpamSettingsDto.change(spam));
      redirect(response, `/forms/${identifier}/spam`, 'saved');
    } catch (error) {
      const refused = { typed, problems: problemsOf(error) };
      await this.send(principal, identifier, request, response, refused);
    }
  }

  /** Choose how strictly the form judges from now on. */
  @Post('level')
  @Requires('forms:write')
  async changeLevel(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.get(principal, identifier);
    const typed = textOf(sent, 'level');
    const level = typed === CUSTOM_LEVEL ? null : typed;
    const { spam } = await checked(SetSpamSettingsDto, { spam: { level } });
    await this.settings.change(principal, identifier, SetSpamSettingsDto.change(spam));
    redirect(response, `/forms/${identifier}/spam`, 'saved');
  }

  /** Replace both lists. */
  @Post('lists')
  @Requires('forms:write')
  @ReadsLong()
  async changeLists(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const lists = { block: textOf(sent, 'lists.block'), allow: textOf(sent, 'lists.allow') };
    try {
      await this.lists.change(principal, identifier, lists);
      redirect(response, `/forms/${identifier}/spam`, 'saved');
    } catch (error) {
      const refused = { lists, problems: problemsOf(error) };
      await this.send(principal, identifier, request, response, refused);
    }
  }

  /** Allow the sender of a submission from now on, and go back to it. */
  @Post('lists/allow')
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

  /** Say what would move if what came in were judged again; with `go`, judge it. */
  @Post('rejudge')
  @Requires('forms:write')
  async rejudge(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const line = textOf(sent, 'q').trim();
    try {
      if (isTicked(sent, 'go')) {
        const { id } = await this.rejudging.start(principal, identifier, line);
        redirect(response, `/jobs/${formatUuid(id)}`);
        return;
      }
      const preview = await this.rejudging.preview(principal, identifier, line);
      const shown = { again: { line, preview }, problems: [] };
      await this.send(principal, identifier, request, response, shown);
    } catch (error) {
      const refused = { again: { line, preview: null }, problems: problemsOf(error) };
      await this.send(principal, identifier, request, response, refused);
    }
  }

  /** Sends the page; what was refused is shown as it was typed. */
  private async send(
    principal: Principal,
    identifier: string,
    request: Request,
    response: Response,
    shown: Shown = { problems: [] },
  ): Promise<void> {
    const page: SpamPageProps = {
      form: await this.heads.of(principal, await this.forms.get(principal, identifier)),
      typed: shownRules(await this.settings.get(principal, identifier)),
      lists: await this.lists.get(principal, identifier),
      caught: await this.statistics.latest(principal, identifier, new Date()),
      again: { line: '', preview: null },
      frame: await this.frames.of(request, response),
      ...shown,
    };
    sendPage(response, SpamPage(page), shown.problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}
