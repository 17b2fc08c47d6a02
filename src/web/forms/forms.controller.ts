import { RECEIVED } from '../../submissions/filter/submission-filter.js';
import { Get, Post, Param } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, Requires, RoutesRequire, type Principal } from '../../accounts/access/index.js';
import { Config, type FieldProblem, Clock } from '../../platform/index.js';
import { CreateFormDto, CreateFormSettingsDto } from '../../forms/dto/form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { InboxRows } from '../rows/rows.js';
import { HealthService } from '../../health/health.service.js';
import { checked, textOf } from '../parts/index.js';
import { FormPage, NewFormPage, SetupPage, type StepsDone } from './setup.page.js';
import { MembersService } from '../../people/members/members.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FindingRow } from '../../health/finding.entity.js';
import { NEWEST, SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { attempt, formPage, goTo, page, framed, Asked, type PageInput, WebController } from '../kit/index.js';
import {
  lookTyped,
  changeTyped,
  inOrder,
  seen,
  settingsShown,
  settingsTyped,
  type SettingTexts,
  fieldShown,
  fieldsOf,
  fieldTyped,
  withField,
  withMore,
  type FieldTexts,
} from './settings-typed.js';
import { answerInFrame, RedirectFramePage } from '../previews/mail-frame.page.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import { Pages } from '../../visitor-pages/pages.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { TRANSLATIONS } from '../../forms/model/form-language.js';
import { PAGE } from '../../forms/model/form-page.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { SpamStatisticsService } from '../../statistics/spam-statistics.service.js';
import { DestinationViews } from '../destinations/destination-views.js';
import { SettingsPage } from './settings.page.js';
import { FormFields } from '../../forms/model/form-fields.js';
import { FIELDS_MAX } from '../../forms/model/field.js';
import { MovesService } from '../../moving/moves/moves.service.js';
import { ReadsLong } from '../../platform/http/index.js';
import { FormNotFound } from '../../forms/model/form.errors.js';
import { FieldPage } from './fields.page.js';

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
      captcha: SpamSettings.of(form).captcha,
      fields: form.fields.list,
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
      captcha: SpamSettings.of(form).captcha,
      fields: form.fields.list,
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

  private apiUrlOf(identifier: string) {
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

  private async previewThanks(principal: Principal, identifier: string, settings: Partial<FormSettings>) {
    const { redirectUrl, page } = await this.pages.preview(principal, identifier, settings);
    return redirectUrl === null ? page : framed(RedirectFramePage({ url: redirectUrl }));
  }
}

/** Serves the settings of a form on one page, saved in one transaction, and the buttons below them. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly destinations: DestinationsService,
    private readonly views: DestinationViews,
    private readonly spam: SpamStatisticsService,
    private readonly clock: Clock,
  ) {}

  /** Show all settings. */
  @Get('settings')
  async show(@Asked() asked: PageInput) {
    return this.page(asked);
  }

  /** Change those that were typed over, all in one. */
  @Post('settings')
  async change(@Asked() asked: PageInput) {
    const { principal, identifier, typed, signedIn } = asked;
    await this.queries.get(principal, identifier);
    return attempt(
      async () => {
        const change = await changeTyped(typed, signedIn.person.timeZone, principal);
        await this.forms.change(principal, identifier, change);
        return goTo(`/forms/${identifier}/settings`, 'saved');
      },
      (problems) => this.page(asked, settingsTyped(typed), problems),
    );
  }

  private async page(
    { principal, identifier, signedIn }: PageInput,
    typed: SettingTexts = {},
    problems: FieldProblem[] = [],
  ) {
    const form = await this.queries.get(principal, identifier);
    const stored = settingsShown(form, signedIn.person.timeZone);
    const now = this.clock.now();
    const home = await this.destinations.homeOf(principal, identifier);
    const { levels } = await this.spam.latest(principal, identifier, now);
    return formPage(form, SettingsPage, {
      ...{ texts: { ...stored, ...typed }, seen: seen(stored), problems },
      destinations: await this.views.list({ principal, home }),
      fields: inOrder(form.fields.list, typed.order),
      spam: { settings: SpamSettings.of(form), would: levels },
      shut: IntakeGate.of(form).closedFor(form, now)?.message ?? null,
      count: form.submissionCount,
      hasPage: PAGE.of(form).enabled,
      translated: Object.keys(TRANSLATIONS.of(form).translations ?? {}),
    });
  }

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(@Asked() { principal, identifier }: PageInput) {
    const { name } = await this.queries.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, `Copy of ${name}`);
    return goTo(`/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Allows('erase')
  async delete(@Asked() asked: PageInput) {
    const { principal, identifier, typed } = asked;
    const form = await this.queries.get(principal, identifier);
    if (textOf(typed, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: 'must match the name of the form exactly.' };
    return this.page(asked, {}, [problem]);
  }
}

/** Serves the sheets of the fields of a form, and what fills them from elsewhere. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class FieldPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly moves: MovesService,
    private readonly submissions: SubmissionPages,
  ) {}

  /** Ask for one more field. */
  @Get('new-field')
  async ask(@Asked() asked: PageInput) {
    return this.page(asked, null, {});
  }

  /** Add a field. */
  @Post('new-field')
  async add(@Asked() asked: PageInput) {
    return this.save(asked, null);
  }

  /** Show a field. */
  @Get('fields/:name')
  async show(@Asked() asked: PageInput, @Param('name') name: string) {
    const { fields } = await this.formOf(asked);
    const at = fields.list.findIndex((field) => field.name === name);
    const field = known(fields, name);
    return this.page(asked, name, fieldShown(field, at + 1));
  }

  /** Change a field. */
  @Post('fields/:name')
  async change(@Asked() asked: PageInput, @Param('name') name: string) {
    return this.save(asked, name);
  }

  /** Forget what is known of a field. */
  @Post('fields/:name/delete')
  async remove(@Asked() asked: PageInput, @Param('name') name: string) {
    known((await this.formOf(asked)).fields, name);
    return this.set(
      asked,
      ({ list, onFailure }) =>
        new FormFields(
          list.filter((field) => field.name !== name),
          onFailure,
        ),
    );
  }

  /** Add the fields of the form on a page. */
  @Post('fields-of-page')
  @ReadsLong()
  async takeHtml(@Asked() asked: PageInput) {
    await this.formOf(asked);
    return attempt(
      async () => {
        const found = await this.moves.fieldsOf(textOf(asked.typed, 'html'));
        return await this.set(asked, (fields) => withMore(fields, found));
      },
      (problems) => this.page(asked, null, {}, problems),
    );
  }

  /** Add the fields that came lately. */
  @Post('fields-of-submissions')
  async takeSent(@Asked() asked: PageInput) {
    const found = fieldsOf(await this.submissions.newest(asked.principal, asked.identifier));
    return this.set(asked, (fields) => withMore(fields, found));
  }

  private async save(asked: PageInput, former: string | null) {
    const { fields } = await this.formOf(asked);
    if (former !== null) known(fields, former);
    const texts = fieldTyped(asked.typed);
    return attempt(
      async () => {
        const changed = await withField(fields, former, texts);
        return await this.set(asked, () => changed);
      },
      (problems) => this.page(asked, former, texts, problems),
    );
  }

  private async set(asked: PageInput, change: (fields: FormFields) => FormFields) {
    const { principal, identifier } = asked;
    await this.forms.change(principal, identifier, (form) => {
      const { list, onFailure } = change(form.fields);
      return form.withFields(new FormFields(list.slice(0, FIELDS_MAX), onFailure));
    });
    return goTo(`/forms/${identifier}/settings#fields`, 'saved');
  }

  private formOf({ principal, identifier }: PageInput) {
    return this.queries.get(principal, identifier);
  }

  private async page(asked: PageInput, former: string | null, texts: FieldTexts, problems: FieldProblem[] = []) {
    return formPage(await this.formOf(asked), FieldPage, { former, texts, problems });
  }
}

/** Returns the field of this name; one that is not listed is answered like a form that is not there. @throws FormNotFound */
function known(fields: FormFields, name: string) {
  const field = fields.of(name);
  if (!field) throw new FormNotFound();
  return field;
}
