import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { SetFieldRulesDto } from '../../forms/dto/set-field-rules.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { FieldRules, RULES_MAX } from '../../forms/model/field-rules.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, problemsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { fieldsSent, SentFields } from '../rows/sent-fields.js';
import { bodyOf, readTyped, typedOf, withFields, type RulesTyped } from './rules.js';
import { RulesPage } from './rules.page.js';

/** A request for the page. */
interface Asked {
  principal: Principal;
  identifier: string;
  request: Request;
  response: Response;
}

/** Serves the page with the rules for the fields of a form. */
@WebController('forms/:identifier/rules')
export class RulePagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show the rules for the fields of a form, and the fields that came lately. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { fieldRules } = await this.forms.get(principal, identifier);
    const typed = typedOf(FieldRules.decode(fieldRules));
    await this.send({ principal, identifier, request, response }, typed, []);
  }

  /** Set the rules for the fields of a form, and what happens when one is broken. */
  @Post()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.get(principal, identifier);
    const typed = readTyped(body, RULES_MAX + 1);
    try {
      const rules = SetFieldRulesDto.rules(await checked(SetFieldRulesDto, bodyOf(typed)));
      await this.forms.setExtras(principal, identifier, { fieldRules: rules.encode() });
      redirect(response, `/forms/${identifier}/rules`, 'saved');
    } catch (error) {
      await this.send({ principal, identifier, request, response }, typed, problemsOf(error));
    }
  }

  private async send(
    { principal, identifier, request, response }: Asked,
    typed: RulesTyped,
    problems: FieldProblem[],
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const sent = fieldsSent(await this.sent.newest(principal, identifier));
    const { rules, onFailure } = withFields(typed, sent);
    const page = RulesPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      typed: { rules: rules.slice(0, Math.max(RULES_MAX, typed.rules.length)), onFailure },
      problems,
      mayAdd: rules.length < RULES_MAX,
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}
