import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire, Allows } from '../../access/access.decorators.js';
import { FormsService } from '../../forms/forms.service.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { Clock } from '../../platform/kernel/time.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked, textOf } from '../parts/typed.js';
import { RulesPage } from './opening.page.js';
import { SettingsPage } from './settings.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import {
  changeTyped,
  seen,
  settingsShown,
  settingsTyped,
  type SettingTexts,
} from './settings-typed.js';
import { formWords } from './words.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { AllowDomainDto } from '../../search/origins/dto/origins.dto.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import type { Principal } from '../../access/principal.js';
import { SetFieldRulesDto } from '../../forms/dto/field-rules.dto.js';
import { FieldRules, RULES_MAX } from '../../forms/model/field-rules.js';
import { fieldsSent, SentFields } from '../rows/rows.js';
import { bodyOf, readTyped, rulesTyped, withFields, type RulesTyped } from './rules.js';
import { FormQueries } from '../../forms/form-queries.service.js';

/** Serves the settings of a form on one page, saved in one transaction, and the buttons below them. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly origins: OriginsService,
    private readonly clock: Clock,
    private readonly sent: SentFields,
  ) {}

  /** Show all settings. */
  @Get('settings')
  async show(@Asked() asked: PageInput): Promise<PageAnswer> {
    return this.page(asked);
  }

  /** Change those that were typed over, all in one. */
  @Post('settings')
  async change(@Asked() asked: PageInput): Promise<PageAnswer> {
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
  ): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    const stored = settingsShown(form, signedIn.person.timeZone);
    return formPage(form, SettingsPage, {
      ...{ texts: { ...stored, ...typed }, seen: seen(stored), problems },
      shut: IntakeGate.of(form).closedFor(form, this.clock.now())?.message ?? null,
      count: form.submissionCount,
      origins: await this.origins.list(principal, identifier),
    });
  }

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { name } = await this.queries.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, formWords.copyOf(name));
    return goTo(`/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Allows('erase')
  async delete(@Asked() asked: PageInput): Promise<PageAnswer> {
    const { principal, identifier, typed } = asked;
    const form = await this.queries.get(principal, identifier);
    if (textOf(typed, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: formWords.wrongName };
    return this.page(asked, {}, [problem]);
  }

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post('origins')
  async allow(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    const id = parseUuid(textOf(sent, 'submission'));
    const back =
      id === null
        ? `/forms/${identifier}/settings#origins`
        : submissionAddress(identifier, formatUuid(id), lineOf(sent));
    return goTo(back, 'domain_allowed');
  }

  /** Show the rules for the fields of a form, and the fields that came lately. */
  @Get('rules')
  async showRules(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { fieldRules } = await this.queries.get(principal, identifier);
    const typed = rulesTyped(FieldRules.decode(fieldRules));
    return this.pageRules(principal, identifier, typed, []);
  }

  /** Set the rules for the fields of a form, and what happens when one is broken. */
  @Post('rules')
  async setRules(@Asked() { principal, identifier, typed: body }: PageInput): Promise<PageAnswer> {
    await this.queries.get(principal, identifier);
    const typed = readTyped(body, RULES_MAX + 1);
    return attempt(
      async () => {
        const rules = SetFieldRulesDto.rules(await checked(SetFieldRulesDto, bodyOf(typed)));
        await this.forms.change(principal, identifier, { fieldRules: rules.encode() });
        return goTo(`/forms/${identifier}/rules`, 'saved');
      },
      (problems) => this.pageRules(principal, identifier, typed, problems),
    );
  }

  private async pageRules(
    principal: Principal,
    identifier: string,
    typed: RulesTyped,
    problems: FieldProblem[],
  ): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    const sent = fieldsSent(await this.sent.newest(principal, identifier));
    const { rules, onFailure } = withFields(typed, sent);
    return formPage(form, RulesPage, {
      typed: { rules: rules.slice(0, Math.max(RULES_MAX, typed.rules.length)), onFailure },
      problems,
      mayAdd: rules.length < RULES_MAX,
    });
  }
}
