import { Get, Post } from '@nestjs/common';
import { Allows, Requires } from '../../access/access.decorators.js';
import { Config } from '../../platform/config/config.js';
import { CreateFormDto, CreateFormSettingsDto } from '../../forms/dto/create-form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { InboxRows } from '../rows/rows.js';
import { Troubles } from '../layout/troubles.js';
import { checked, textOf } from '../parts/typed.js';
import { FormPage, NewFormPage } from './form.page.js';
import { SetupPage } from './setup.page.js';
import { SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { attempt, formPage, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

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
    private readonly config: Config,
  ) {}

  /** Ask for the name of a new form. */
  @Get('new-form')
  @Requires('forms:create')
  ask(): PageAnswer {
    return page(NewFormPage, { name: '', problems: [] });
  }

  /** Create a form. */
  @Post('forms')
  @Requires('forms:create')
  async create(@Asked() { principal, typed: sent }: PageInput): Promise<PageAnswer> {
    const name = textOf(sent, 'form.name');
    return attempt(
      async () => {
        const { form } = await checked(CreateFormDto, { form: { name } });
        const created = await this.forms.create(principal, CreateFormSettingsDto.of(form));
        return goTo(`/forms/${created.identifier}`, 'form_created');
      },
      (problems) => page(NewFormPage, { name, problems }),
    );
  }

  /** Show a form: its newest submissions; before the first, how it gets into a site. */
  @Get('forms/:identifier')
  @Requires('forms:read')
  @Allows('see')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const position = { page: 1, perPage: NEWEST, before: null, after: null };
    const found = await this.pages.list(principal, identifier, filter, position);
    const { form } = found;
    return formPage(form, FormPage, {
      warnings: await this.troubles.ofForm(principal, form),
      rows: await this.rows.of(principal, found.ids, found.submissions()),
      asked: SpamSettings.of(form),
      count: found.total,
      apiUrl: principal.clientId === null ? this.apiUrlOf(identifier) : null,
      mayExport: principal.may('export'),
    });
  }

  /** Show how a form gets into a site. */
  @Get('forms/:identifier/setup')
  @Requires('forms:read')
  @Allows('see')
  async setUp(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    return formPage(form, SetupPage, {
      asked: SpamSettings.of(form),
      isNew: form.submissionCount === 0,
    });
  }

  private apiUrlOf(identifier: string): string {
    return `${this.config.baseUrl}/api/v1/forms/${identifier}/submissions?per_page=${NEWEST}`;
  }
}
