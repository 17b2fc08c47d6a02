import { RECEIVED } from '../../submissions/filter/submission-filter.js';
import { Get, Post } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, Requires, RoutesRequire } from '../../accounts/access/access.decorators.js';
import { Config } from '../../platform/config/config.js';
import { CreateFormDto, CreateFormSettingsDto } from '../../forms/dto/form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { InboxRows } from '../rows/rows.js';
import { HealthService } from '../../health/health.service.js';
import { checked, textOf } from '../parts/typed.js';
import { FormPage, NewFormPage } from './form.page.js';
import { SetupPage, type StepsDone } from './setup.page.js';
import { MembersService } from '../../people/members/members.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FindingRow } from '../../health/finding.entity.js';
import { NEWEST, SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { attempt, formPage, goTo, page, framed } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { lookTyped } from './settings-typed.js';
import { answerInFrame, RedirectFramePage } from '../previews/mail-frame.page.js';
import type { Principal } from '../../accounts/access/principal.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import { Pages } from '../../visitor-pages/pages.js';

/** Findings that say that no email about submissions arrives. */
const WITHOUT_EMAIL: ReadonlySet<string> = new Set([
  ...['mail_not_configured', 'nobody_is_told', 'owner_email_failing'],
  ...['recipients_unconfirmed', 'recipient_bounces'],
]);

/** Serves the pages about forms. */
@WebController()
@RoutesRequire('forms:read', 'forms:create')
export class FormPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly pages: SubmissionPages,
    private readonly rows: InboxRows,
    private readonly health: HealthService,
    private readonly config: Config,
    private readonly members: MembersService,
  ) {}

  /** Ask for the name of a new form. */
  @Get('new-form')
  @Requires('forms:create')
  ask() {
    return page(NewFormPage, { name: '', problems: [] });
  }

  /** Create a form. */
  @Post('forms')
  async create(@Asked() { principal, typed: sent }: PageInput) {
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
  @Allows('see')
  async show(@Asked() { principal, identifier }: PageInput) {
    const found = await this.pages.list(principal, identifier, RECEIVED, NEWEST);
    const { form } = found;
    const findings = await this.health.ofForm(principal, identifier);
    return formPage(form, FormPage, {
      findings,
      steps: found.total > 0 ? null : await this.stepsOf(principal, form, findings),
      rows: await this.rows.of(principal, found.ids, found.submissions()),
      asked: SpamSettings.of(form),
      count: found.total,
      apiUrl: principal.clientId === null ? this.apiUrlOf(identifier) : null,
      mayExport: principal.may('export'),
    });
  }

  /** Show how a form gets into a site. */
  @Get('forms/:identifier/setup')
  @Allows('see')
  async setUp(@Asked() { principal, identifier }: PageInput) {
    const form = await this.queries.get(principal, identifier);
    const findings = await this.health.ofForm(principal, identifier);
    return formPage(form, SetupPage, {
      asked: SpamSettings.of(form),
      steps: await this.stepsOf(principal, form, findings),
      isNew: form.submissionCount === 0,
    });
  }

  /** Tells which first steps are done; null for who does not take them. */
  private async stepsOf(
    principal: Principal,
    { submissionCount }: Pick<Form, 'submissionCount'>,
    findings: readonly FindingRow[],
  ): Promise<StepsDone | null> {
    if (principal.clientId !== null || !principal.has('people:read')) return null;
    const members = await this.members.list(principal, null);
    return {
      submission: submissionCount > 0,
      email: !findings.some(({ code }) => WITHOUT_EMAIL.has(code)),
      team: members.length > 1,
    };
  }

  private apiUrlOf(identifier: string): string {
    return `${this.config.baseUrl}/api/v1/forms/${identifier}/submissions?per_page=${NEWEST.perPage}`;
  }
}

/** Serves the preview of what visitors get. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class FormLooksPagesController {
  constructor(private readonly pages: Pages) {}

  /** Show what visitors get as the stored settings make it. */
  @Get('thanks')
  showThanks(@Asked() { principal, identifier }: PageInput) {
    return this.previewThanks(principal, identifier, {});
  }

  /** Show what visitors would get as what is typed makes it; nothing is stored. */
  @Post('thanks')
  showTyped(@Asked() { principal, identifier, typed, signedIn }: PageInput) {
    return answerInFrame(async () => {
      const settings = await lookTyped(typed, signedIn.person.timeZone);
      return this.previewThanks(principal, identifier, settings);
    });
  }

  private async previewThanks(
    principal: Principal,
    identifier: string,
    settings: Partial<FormSettings>,
  ) {
    const { redirectUrl, page } = await this.pages.preview(principal, identifier, settings);
    return redirectUrl === null ? page : framed(RedirectFramePage({ url: redirectUrl }));
  }
}
