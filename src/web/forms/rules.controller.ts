import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { SetFieldRulesDto } from '../../forms/dto/set-field-rules.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { FieldRules, RULES_MAX } from '../../forms/model/field-rules.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked } from '../parts/typed.js';
import { fieldsSent, SentFields } from '../rows/sent-fields.js';
import { bodyOf, readTyped, typedOf, withFields, type RulesTyped } from './rules.js';
import { RulesPage } from './rules.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page with the rules for the fields of a form. */
@WebController('forms/:identifier/rules')
export class RulePagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
  ) {}

  /** Show the rules for the fields of a form, and the fields that came lately. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { fieldRules } = await this.forms.get(principal, identifier);
    const typed = typedOf(FieldRules.decode(fieldRules));
    return this.page(principal, identifier, typed, []);
  }

  /** Set the rules for the fields of a form, and what happens when one is broken. */
  @Post()
  @Requires('forms:write')
  async set(@Asked() { principal, identifier, typed: body }: PageInput): Promise<PageAnswer> {
    await this.forms.get(principal, identifier);
    const typed = readTyped(body, RULES_MAX + 1);
    return attempt(
      async () => {
        const rules = SetFieldRulesDto.rules(await checked(SetFieldRulesDto, bodyOf(typed)));
        await this.forms.setExtras(principal, identifier, { fieldRules: rules.encode() });
        return goTo(`/forms/${identifier}/rules`, 'saved');
      },
      (problems) => this.page(principal, identifier, typed, problems),
    );
  }

  private async page(
    principal: Principal,
    identifier: string,
    typed: RulesTyped,
    problems: FieldProblem[],
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const sent = fieldsSent(await this.sent.newest(principal, identifier));
    const { rules, onFailure } = withFields(typed, sent);
    return formPage(form, RulesPage, {
      typed: { rules: rules.slice(0, Math.max(RULES_MAX, typed.rules.length)), onFailure },
      problems,
      mayAdd: rules.length < RULES_MAX,
    });
  }
}
