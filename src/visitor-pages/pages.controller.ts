import { Controller, Get, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { BrandsService } from '../brands/brands.service.js';
import { AliasesService } from '../aliases/aliases.service.js';
import { PublicAddresses } from '../hosts/public-addresses.js';
import { IntakeGate } from '../forms/model/intake-gate.js';
import { Sends } from '../platform/http/sends/sends.js';
import { visitorToAsk } from '../notifications/notification-planner.js';
import { Confirmations } from '../submissions/confirmations/confirmations.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { closedPage } from './failure.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

@Controller('f/:identifier')
@Public()
@UseGuards(VisitorGuard)
export class PagesController {
  constructor(
    private readonly pages: Pages,
    private readonly brands: BrandsService,
    private readonly aliases: AliasesService,
    private readonly submissions: SubmissionsService,
    private readonly confirmations: Confirmations,
    private readonly addresses: PublicAddresses,
  ) {}

  /** Explain the address of a form in a browser: a snippet to copy and a form to try, or why it is closed. */
  @Get()
  @Sends('text/html')
  async instructions(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form } = await this.aliases.reach(identifier);
    const shut = IntakeGate.decode(form.intakeGate).closedFor(form, new Date());
    const brand = await this.brands.ofForm(form);
    if (shut) {
      sendPage(response, closedPage(shut, { form, brand, from: null }));
      return;
    }
    const carriesFields = request.originalUrl.includes('?');
    const address = await this.addresses.ofRequest(request);
    const page = carriesFields
      ? this.pages.methodMissing(form, address, brand)
      : this.pages.instructions(form, address, brand);
    sendPage(response, page);
  }

  /** Show the thank-you page, with the submitted values if the form shows them and the link is fresh. */
  @Get('thanks')
  @Sends('text/html')
  async thanks(
    @Param('identifier') identifier: string,
    @Query('s') link: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { form } = await this.aliases.reach(identifier);
    const id = await this.pages.submissionOf(link ?? '');
    const submission = id && (await this.submissions.find(form.id, id));
    const asked = submission && visitorToAsk(form, submission.values);
    // Most forms ask nobody: only then is it looked up whether they have answered.
    const optIn =
      submission && asked !== null ? (await this.confirmations.of(submission.id)).optIn : null;
    const shown = submission && form.showSubmittedValues ? submission : null;
    const [full] = shown ? await this.submissions.withFiles(form, [shown]) : [];
    sendPage(
      response,
      this.pages.thanks(form, {
        values: shown?.values ?? null,
        files: full?.files ?? [],
        from: submission?.referer ?? null,
        // Spam waits for nobody: its sender is not to learn that.
        asked: optIn?.state === 'confirmed' ? null : asked,
        brand: await this.brands.ofForm(form),
      }),
    );
  }
}
