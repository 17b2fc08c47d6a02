import { Get, Post } from '@nestjs/common';
import { Allows, RoutesRequire } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CanaryService } from '../../canary/canary.service.js';
import { SetCanaryDto } from '../../canary/dto/canary.dto.js';
import { IntakeGate } from '../../forms/model/form-values.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Clock } from '../../platform/kernel/time.js';
import { SetWatchDto } from '../../watch/dto/watch.dto.js';
import { WatchService } from '../../watch/watcher.js';
import { VITAL_CODES } from '../../warnings/warning.js';
import { Troubles } from '../layout/troubles.js';
import { checked, textOf } from '../parts/typed.js';
import { type CanaryTyped, WatchPage } from './watch.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Input that was refused: the level, or the settings of the canary as they were typed. */
interface Refused {
  typed?: CanaryTyped;
  problems: FieldProblem[];
}

/** Serves the page that shows how a form fares, and sets how it is watched. */
@WebController('forms/:identifier/watch')
@RoutesRequire('submissions:read', 'forms:write')
export class WatchPagesController {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly troubles: Troubles,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Show how a form fares. */
  @Get()
  @Allows('see')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    return this.page(principal, identifier);
  }

  /** Set how soon the silence of a form is told. */
  @Post()
  @Allows('see')
  async setLevel(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    return attempt(
      async () => {
        const asked = { watch: { level: textOf(sent, 'level') } };
        const { watch } = await checked(SetWatchDto, asked);
        await this.watches.setLevel(principal, identifier, watch.level);
        return goTo(`/forms/${identifier}/watch`, 'saved');
      },
      (problems) => this.page(principal, identifier, { problems }),
    );
  }

  /** Set how often the canary of a form runs, and the page that it looks at. */
  @Post('canary')
  @Allows('see')
  async setCanary(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const typed = {
      schedule: textOf(sent, 'canary.schedule'),
      page: textOf(sent, 'canary.page').trim(),
    };
    return attempt(
      async () => {
        const page = typed.page === '' ? null : typed.page;
        const { canary } = await checked(SetCanaryDto, { canary: { ...typed, page } });
        await this.canaries.change(principal, identifier, canary);
        return goTo(`/forms/${identifier}/watch#canary`, 'saved');
      },
      (problems) => this.page(principal, identifier, { typed, problems }),
    );
  }

  /** Run the canary of a form now. */
  @Post('check')
  @Allows('see')
  async check(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    await this.canaries.run(principal, identifier);
    return goTo(`/forms/${identifier}/watch#canary`, 'checked');
  }

  private async page(
    principal: Principal,
    identifier: string,
    refused?: Refused,
  ): Promise<PageAnswer> {
    const { form, watch, days } = await this.watches.show(principal, identifier);
    const warnings = await this.troubles.ofForm(principal, form);
    const now = this.clock.now();
    return formPage(form, WatchPage, {
      ...{ watch, days, now },
      isShut: IntakeGate.decode(form.intakeGate).closedFor(form, now) !== null,
      warnings: warnings.filter(({ code }) => VITAL_CODES.has(code)),
      canary: principal.has('forms:read')
        ? await this.canaryOf(principal, identifier, refused)
        : null,
      problems: refused && !refused.typed ? refused.problems : [],
    });
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
