import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CanaryService } from '../../canary/canary.service.js';
import { SetCanaryDto } from '../../canary/dto/canary.dto.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { SetWatchDto } from '../../watch/dto/set-watch.dto.js';
import { WatchService } from '../../watch/watch.service.js';
import { VITAL_CODES } from '../../warnings/vital-warnings.js';
import { FormHeads } from '../form-head/form-heads.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import type { CanaryTyped } from './canary-section.js';
import { WatchPage } from './watch.page.js';

/** A request for the page. */
interface Asked {
  principal: Principal;
  identifier: string;
  request: Request;
  response: Response;
}

/** Input that was refused: the level, or the settings of the canary as they were typed. */
interface Refused {
  typed?: CanaryTyped;
  problems: FieldProblem[];
}

/** Serves the page that shows how a form fares, and sets how it is watched. */
@WebController('forms/:identifier/watch')
export class WatchPagesController {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Show how a form fares. */
  @Get()
  @Requires('submissions:read')
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send({ principal, identifier, request, response });
  }

  /** Set how soon the silence of a form is told. */
  @Post()
  @Requires('forms:write')
  @Allows('see')
  async setLevel(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      const asked = { watch: { level: textOf(sent, 'level') } };
      const { watch } = await checked(SetWatchDto, asked);
      await this.watches.setLevel(principal, identifier, watch.level);
      redirect(response, `/forms/${identifier}/watch`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send({ principal, identifier, request, response }, { problems });
    }
  }

  /** Set how often the canary of a form runs, and the page that it looks at. */
  @Post('canary')
  @Requires('forms:write')
  @Allows('see')
  async setCanary(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = {
      schedule: textOf(sent, 'canary.schedule'),
      page: textOf(sent, 'canary.page').trim(),
    };
    try {
      const page = typed.page === '' ? null : typed.page;
      const { canary } = await checked(SetCanaryDto, { canary: { ...typed, page } });
      await this.canaries.change(principal, identifier, canary);
      redirect(response, `/forms/${identifier}/watch#canary`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send({ principal, identifier, request, response }, { typed, problems });
    }
  }

  /** Run the canary of a form now. */
  @Post('check')
  @Requires('forms:write')
  @Allows('see')
  async check(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.canaries.run(principal, identifier);
    redirect(response, `/forms/${identifier}/watch#canary`, 'checked');
  }

  private async send(
    { principal, identifier, request, response }: Asked,
    refused?: Refused,
  ): Promise<void> {
    const { form, watch, days } = await this.watches.show(principal, identifier);
    const warnings = await this.troubles.ofForm(principal, form);
    const now = this.clock.now();
    const page = WatchPage({
      ...{ watch, days, now },
      isShut: IntakeGate.decode(form.intakeGate).closedFor(form, now) !== null,
      warnings: warnings.filter(({ code }) => VITAL_CODES.has(code)),
      canary: principal.has('forms:read')
        ? await this.canaryOf(principal, identifier, refused)
        : null,
      problems: refused && !refused.typed ? refused.problems : [],
      form: await this.heads.of(principal, form),
      frame: await this.frames.of(request, response),
    });
    sendPage(response, page, refused ? UNPROCESSABLE : undefined);
  }

  private async canaryOf(principal: Principal, identifier: string, refused?: Refused) {
    const canary = await this.canaries.show(principal, identifier);
    const { schedule, page } = canary;
    return {
      canary,
      isRunning: this.config.intake.canary === 'on',
      typed: refused?.typed ?? { schedule, page: page ?? '' },
      problems: refused?.typed ? refused.problems : [],
    };
  }
}
