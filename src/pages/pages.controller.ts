import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { FormsService } from '../forms/forms.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import type { Page } from './layout.js';
import { Pages } from './pages.js';

@Controller('f/:identifier')
@Public()
export class PagesController {
  constructor(
    private readonly pages: Pages,
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
  ) {}

  /** Explain the form's address in a browser: a snippet to copy and a form to try. */
  @Get()
  async instructions(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.lookUp(identifier);
    const carriesFields = request.originalUrl.includes('?');
    send(response, carriesFields ? this.pages.methodMissing(form) : this.pages.instructions(form));
  }

  /** Thank the visitor, with what was submitted when the form shows it and the link is fresh. */
  @Get('thanks')
  async thanks(
    @Param('identifier') identifier: string,
    @Query('s') link: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.lookUp(identifier);
    const id = await this.pages.submissionOf(link ?? '');
    const submission = id && (await this.submissions.find(form.id, id));
    const values = submission && form.showSubmittedValues ? submission.values : null;
    send(response, this.pages.thanks(form, { values, from: submission?.referer ?? null }));
  }
}

function send(response: Response, { html, policy }: Page): void {
  response.removeHeader('X-Frame-Options');
  response.set('Content-Security-Policy', policy);
  response.set('Cache-Control', 'no-store');
  response.type('html').send(html);
}
