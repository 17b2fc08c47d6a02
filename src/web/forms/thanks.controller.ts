import { Body, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import { Pages } from '../../visitor-pages/pages.js';
import { sendFramed, sendFramedText } from '../layout/send-page.js';
import type { Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { settingsTyped, typedOf } from './settings.js';
import { RedirectFramePage } from '../previews/thanks-frame.page.js';

/** Serves the frame that shows the thank-you page of a form, on the page of its settings. */
@WebController('forms/:identifier/thanks')
export class ThanksPagesController {
  constructor(private readonly pages: Pages) {}

  /** Show what visitors get as the stored settings make it. */
  @Get()
  @Requires('forms:write')
  show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.answer(response, principal, identifier, {});
  }

  /** Show what visitors would get as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await answerInFrame(response, async () => {
      const settings = await settingsTyped('thanks', typedOf(sent));
      await this.answer(response, principal, identifier, settings);
    });
  }

  private async answer(
    response: Response,
    principal: Principal,
    identifier: string,
    settings: Partial<FormSettings>,
  ): Promise<void> {
    const { redirectUrl, page } = await this.pages.preview(principal, identifier, settings);
    if (redirectUrl === null) sendFramedText(response, page.html, page.policy);
    else sendFramed(response, RedirectFramePage({ url: redirectUrl }));
  }
}
