import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { CreateFormDto, CreateFormSettingsDto } from '../../forms/dto/create-form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { InboxRows } from '../rows/rows.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { FormHeads } from '../form-head/form-heads.js';
import { FormPage } from './form.page.js';
import { NewFormPage } from './new-form.page.js';
import { SetupPage } from './setup.page.js';
import { SubmissionPages } from '../../search/pages/submission-pages.service.js';

/** Newest submissions on the page of a form; the inbox has them all. */
const NEWEST = 10;

/** Serves the pages about forms. */
@WebController()
export class FormPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SubmissionPages,
    private readonly rows: InboxRows,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Ask for the name of a new form. */
  @Get('new-form')
  @Requires('forms:create')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const frame = await this.frames.of(request, response);
    sendPage(response, NewFormPage({ frame, name: '', problems: [] }));
  }

  /** Create a form. */
  @Post('forms')
  @Requires('forms:create')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const name = textOf(sent, 'form.name');
    try {
      const { form } = await checked(CreateFormDto, { form: { name } });
      const created = await this.forms.create(principal, CreateFormSettingsDto.of(form));
      redirect(response, `/forms/${created.identifier}`, 'form_created');
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      sendPage(response, NewFormPage({ frame, name, problems }), UNPROCESSABLE);
    }
  }

  /** Show a form: its newest submissions; before the first, how it gets into a site. */
  @Get('forms/:identifier')
  @Requires('forms:read')
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const position = { page: 1, perPage: NEWEST, before: null, after: null };
    const found = await this.pages.list(principal, identifier, filter, position);
    const { form } = found;
    const page = FormPage({
      warnings: await this.troubles.ofForm(principal, form),
      rows: await this.rows.of(principal, found.ids, found.submissions()),
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      asked: SpamSettings.of(form),
      count: found.total,
      apiUrl: principal.clientId === null ? this.apiUrlOf(identifier) : null,
      mayExport: principal.may('export'),
    });
    sendPage(response, page);
  }

  /** Show how a form gets into a site. */
  @Get('forms/:identifier/setup')
  @Requires('forms:read')
  @Allows('see')
  async setUp(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const page = SetupPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      asked: SpamSettings.of(form),
      isNew: form.submissionCount === 0,
    });
    sendPage(response, page);
  }

  private apiUrlOf(identifier: string): string {
    return `${this.config.baseUrl}/api/v1/forms/${identifier}/submissions?per_page=${NEWEST}`;
  }
}
