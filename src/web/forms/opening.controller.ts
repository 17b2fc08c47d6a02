import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { SetIntakeGateDto } from '../../forms/dto/set-intake-gate.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Troubles } from '../layout/troubles.js';
import { checked } from '../parts/typed.js';
import { openingBody, openingShown, openingTyped, type OpeningTyped } from './opening.js';
import { OpeningPage } from './opening.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page that pauses and closes a form. */
@WebController('forms/:identifier/intake')
export class OpeningPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly troubles: Troubles,
    private readonly clock: Clock,
  ) {}

  /** Show whether a form is paused, when it closes, and how many submissions it takes. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() { principal, signedIn, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const { opening } = IntakeGate.decode(form.intakeGate);
    const typed = openingShown(opening, signedIn.person.timeZone);
    await this.troubles.ofForm(principal, form);
    return this.page(form, typed, []);
  }

  /** Pause or open a form, and set when it closes. */
  @Post()
  @Requires('forms:write')
  async set(
    @Asked() { principal, signedIn, identifier, typed: body }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
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
}
