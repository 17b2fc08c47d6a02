import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import { Pages } from '../../visitor-pages/pages.js';
import { framed, type PageAnswer } from '../kit/answers.js';
import { Asked, WebController, type PageInput } from '../kit/web-controller.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { settingsTyped, typedOf } from './settings.js';
import { RedirectFramePage } from '../previews/mail-frame.page.js';

/** Serves the frame that shows the thank-you page of a form, on the page of its settings. */
@WebController('forms/:identifier/thanks')
export class ThanksPagesController {
  constructor(private readonly pages: Pages) {}

  /** Show what visitors get as the stored settings make it. */
  @Get()
  @Requires('forms:write')
  show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    return this.preview(principal, identifier, {});
  }

  /** Show what visitors would get as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  showTyped(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    return answerInFrame(async () => {
      const settings = await settingsTyped('thanks', typedOf(typed));
      return this.preview(principal, identifier, settings);
    });
  }

  private async preview(
    principal: Principal,
    identifier: string,
    settings: Partial<FormSettings>,
  ): Promise<PageAnswer> {
    const { redirectUrl, page } = await this.pages.preview(principal, identifier, settings);
    return redirectUrl === null ? page : framed(RedirectFramePage({ url: redirectUrl }));
  }
}
