import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Requires, RoutesRequire, Allows } from '../../access/access.decorators.js';
import { SetIntakeGateDto } from '../../forms/dto/form-settings.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/form-values.js';
import { Clock } from '../../platform/kernel/time.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Troubles } from '../layout/troubles.js';
import { checked, textOf } from '../parts/typed.js';
import { openingBody, openingShown, openingTyped, type OpeningTyped } from './opening.js';
import { OpeningPage, RulesPage } from './opening.page.js';
import { attempt, formPage, goTo, type PageAnswer, refused } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { settingsTyped, typedOf, type Group, valuesOf } from './settings.js';
import { pageOf, SettingsPages } from './settings-pages.js';
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

const FORM = 'forms/:identifier';

/** The group that each path behind the address of a form shows first. */
const SHOWN = {
  settings: 'general',
  'thank-you': 'thanks',
  domains: 'domains',
} as const satisfies Record<string, Group>;

/** The group that each path saves. */
const SAVED = {
  settings: 'general',
  'thank-you': 'thanks',
  domains: 'domains',
} as const satisfies Record<string, Group>;

/** Serves the settings of a form, each group saved by itself, and the buttons on their pages. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly pages: SettingsPages,
    private readonly origins: OriginsService,
    private readonly troubles: Troubles,
    private readonly clock: Clock,
    private readonly sent: SentFields,
  ) {}

  /** Show a page of settings: the name, what visitors see after submitting, or the allowed sites. */
  @Get(Object.keys(SHOWN))
  async show(@Asked() { principal, identifier, request }: PageInput): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    return this.pages.page({ principal, form }, groupIn(SHOWN, request));
  }

  /** Change a group of settings, and none of the others. */
  @Post(Object.keys(SAVED))
  async change(
    @Asked() { principal, identifier, typed: sent, request }: PageInput,
  ): Promise<PageAnswer> {
    const group = groupIn(SAVED, request);
    const form = await this.queries.get(principal, identifier);
    const typed = typedOf(sent);
    return attempt(
      async () => {
        await this.forms.change(principal, identifier, await settingsTyped(group, typed));
        return goTo(pageOf(identifier, group), 'saved');
      },
      (problems) => this.pages.page({ principal, form }, group, { typed, problems }),
    );
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
  async delete(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    if (textOf(sent, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: formWords.wrongName };
    const wrong = { typed: valuesOf(form), problems: [problem] };
    return refused(await this.pages.page({ principal, form }, 'general', wrong));
  }

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post('origins')
  async allow(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    const id = parseUuid(textOf(sent, 'submission'));
    const back =
      id === null
        ? `/forms/${identifier}/domains#s-origins`
        : submissionAddress(identifier, formatUuid(id), lineOf(sent));
    return goTo(back, 'domain_allowed');
  }

  /** Show the availability of a form. */
  @Get('intake')
  async showOpening(@Asked() { principal, signedIn, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    const { opening } = IntakeGate.decode(form.intakeGate);
    const typed = openingShown(opening, signedIn.person.timeZone);
    await this.troubles.ofForm(principal, form);
    return this.page(form, typed, []);
  }

  /** Pause or open a form, and set when it closes. */
  @Post('intake')
  async set(
    @Asked() { principal, signedIn, identifier, typed: body }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.queries.get(principal, identifier);
    const typed = openingTyped(body);
    const { timeZone } = signedIn.person;
    return attempt(
      async () => {
        const asked = openingBody(typed, IntakeGate.decode(form.intakeGate).opening, timeZone);
        const gate = SetIntakeGateDto.gate(await checked(SetIntakeGateDto, asked));
        await this.forms.setExtras(principal, identifier, { intakeGate: gate.encode() });
        return goTo(`/forms/${identifier}/intake`, 'saved');
      },
      (problems) => this.page(form, typed, problems),
    );
  }

  private page(form: Form, typed: OpeningTyped, problems: FieldProblem[]): PageAnswer {
    const shut = IntakeGate.decode(form.intakeGate).closedFor(form, this.clock.now());
    return formPage(form, OpeningPage, {
      shut: shut?.message ?? null,
      count: form.submissionCount,
      ...{ typed, problems },
    });
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
        await this.forms.setExtras(principal, identifier, { fieldRules: rules.encode() });
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

/** Returns the group of the path by which a request was routed. */
function groupIn(groups: Record<string, Group>, request: Request): Group {
  const { path } = request.route as { path: string };
  const group = groups[path.slice(path.indexOf(FORM) + FORM.length + 1)];
  if (!group) throw new Error(`No group of settings is at ${path}.`);
  return group;
}
