import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { SetIntakeGateDto } from '../../forms/dto/set-intake-gate.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { checked, problemsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { openingBody, openingShown, openingTyped, type OpeningTyped } from './opening.js';
import { OpeningPage } from './opening.page.js';

/** A request for the page of a form. */
interface Asked {
  principal: Principal;
  form: Form;
  request: Request;
  response: Response;
}

/** Serves the page that pauses and closes a form. */
@WebController('forms/:identifier/intake')
export class OpeningPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly clock: Clock,
  ) {}

  /** Show whether a form is paused, when it closes, and how many submissions it takes. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person: { timeZone } }: SignedIn,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const typed = openingShown(IntakeGate.decode(form.intakeGate).opening, timeZone);
    await this.troubles.ofForm(principal, form);
    await this.send({ principal, form, request, response }, typed, []);
  }

  /** Pause or open a form, and set when it closes. */
  @Post()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person: { timeZone } }: SignedIn,
    @Param('identifier') identifier: string,
    @Body() body: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const typed = openingTyped(body);
    try {
      const asked = openingBody(typed, IntakeGate.decode(form.intakeGate).opening, timeZone);
      const gate = SetIntakeGateDto.gate(await checked(SetIntakeGateDto, asked));
      await this.forms.setExtras(principal, identifier, { intakeGate: gate.encode() });
      redirect(response, `/forms/${identifier}/intake`, 'saved');
    } catch (error) {
      await this.send({ principal, form, request, response }, typed, problemsOf(error));
    }
  }

  private async send(
    { principal, form, request, response }: Asked,
    typed: OpeningTyped,
    problems: FieldProblem[],
  ): Promise<void> {
    const shut = IntakeGate.decode(form.intakeGate).closedFor(form, this.clock.now());
    const page = OpeningPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      shut: shut?.message ?? null,
      count: form.submissionCount,
      ...{ typed, problems },
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}
