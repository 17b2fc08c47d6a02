import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { BrandsService } from '../brands/brands.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { Sends } from '../platform/http/sends/sends.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { Confirmations } from '../submissions/confirmations/confirmations.service.js';
import { OptInLinkBroken } from '../submissions/model/submission.errors.js';
import { layout } from './layout.js';
import { ConfirmedSent, ConfirmSent } from './opt-in.page.js';
import { sendPage } from './send-page.js';

@Controller('opt-in/:link')
@Public()
@UseGuards(VisitorGuard)
export class OptInController {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly brands: BrandsService,
    private readonly limits: RateLimits,
  ) {}

  /** Show the page that confirms a submission: programs that open the links of mails confirm nothing. */
  @Get()
  @Sends('text/html')
  async ask(
    @Param('link') link: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, optIn } = await this.known(this.confirmations.open(link), request, response);
    const { state, email } = optIn;
    if (state === 'waiting') {
      const asked = await this.askedFor(form);
      const page = ConfirmSent({ ...asked, email });
      sendPage(response, layout('Was this you?', page, coloursOf(form, asked), "'self'"));
    } else await this.thank(form, false, response);
  }

  /** Confirm a submission, which sends what waits for that. */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async confirm(
    @Param('link') link: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const confirmed = this.confirmations.confirm(link);
    const { form, wasWaiting } = await this.known(confirmed, request, response);
    await this.thank(form, wasWaiting, response);
  }

  /** Counts a link that is wrong like a wrong token. @throws RateLimited */
  private async known<T>(found: Promise<T>, request: Request, response: Response): Promise<T> {
    try {
      return await found;
    } catch (error) {
      if (error instanceof OptInLinkBroken) this.limits.countFailedAuth(request, response);
      throw error;
    }
  }

  private async thank(form: Form, isNew: boolean, response: Response): Promise<void> {
    const asked = await this.askedFor(form);
    const title = isNew ? 'Thank you' : 'Already confirmed';
    const page = ConfirmedSent({ ...asked, isNew });
    sendPage(response, layout(title, page, coloursOf(form, asked)));
  }

  private async askedFor(form: Form) {
    return { formName: form.name, brand: await this.brands.ofForm(form) };
  }
}

function coloursOf(
  { bgColor, textColor, linkColor }: Form,
  { brand }: { brand: { colour: string | null } },
) {
  return { bgColor, textColor, linkColor, accent: brand.colour };
}
