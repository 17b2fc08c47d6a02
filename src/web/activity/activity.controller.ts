import { Get, Post } from '@nestjs/common';
import { Allows, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { CanaryService } from '../../health/canary/canary.service.js';
import { SetCanaryDto } from '../../health/canary/canary.dto.js';
import { Config, type FieldProblem, Clock, daysBetween } from '../../platform/index.js';
import { FacetsService } from '../../statistics/facets.service.js';
import { VisitsService } from '../../statistics/visits.service.js';
import { StatisticsService, withoutImports, type Statistics } from '../../statistics/statistics.service.js';
import type { Span } from '../../statistics/span.js';
import { SetWatchDto } from '../../health/watch/watch.dto.js';
import { REFUSALS_DAYS_MAX, RefusalsService } from '../../health/watch/refusals.service.js';
import { WatchService } from '../../health/watch/watcher.js';
import { isVital } from '../../health/finding.js';
import { HealthService } from '../../health/health.service.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/index.js';
import {
  attempt,
  formPage,
  goTo,
  page,
  refused,
  type PageAnswer,
  Asked,
  type PageInput,
  WebController,
} from '../kit/index.js';
import { ActivityPage, type CanaryTyped } from './activity.page.js';
import { askOf, spanOf, type FacetsShown, type StatisticsAsk } from './facets.js';
import { StatisticsPage } from './statistics.page.js';

/** Input that was refused: the level, or the settings of the canary as they were typed. */
interface Refused {
  typed?: CanaryTyped;
  problems: FieldProblem[];
}

/** Serves the charts of all forms, and the page with what a form received and how it is monitored. */
@WebController()
@RoutesRequire('submissions:read', 'forms:write')
export class ActivityPagesController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly facets: FacetsService,
    private readonly visits: VisitsService,
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly refusals: RefusalsService,
    private readonly health: HealthService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Show what all forms received. */
  @Get('statistics')
  @Allows('see')
  async ofAll(@Asked() { principal, signedIn, query }: PageInput) {
    const found = await this.read(query, signedIn.person.timeZone, (span) => this.statistics.ofAll(principal, span));
    const facets = await this.facetsOf(principal, null, found.span, signedIn.isOperator);
    const labelOf = (field: string) => field;
    const shown = { form: null, ...found, facets, labelOf, reportOf: principal.clientId };
    return answer(found.ask, page(StatisticsPage, shown));
  }

  /** Show what a form received and refused, and how it is monitored. */
  @Get('forms/:identifier/activity')
  @Allows('see')
  show(@Asked() input: PageInput) {
    return this.page(input);
  }

  /** Set how soon missing submissions are alerted. */
  @Post('forms/:identifier/activity')
  @Allows('see')
  async setLevel(@Asked() input: PageInput) {
    const { principal, identifier, typed } = input;
    return attempt(
      async () => {
        const asked = { watch: { level: textOf(typed, 'level') } };
        const { watch } = await checked(SetWatchDto, asked);
        await this.watches.setLevel(principal, identifier, watch.level);
        return goTo(`${addressOf(identifier)}#alerts`, 'saved');
      },
      (problems) => this.page(input, { problems }),
    );
  }

  /** Set how often the page of a form is checked, and its address. */
  @Post('forms/:identifier/activity/canary')
  @Allows('see')
  async setCanary(@Asked() input: PageInput) {
    const { principal, identifier, typed: sent } = input;
    const typed = { schedule: textOf(sent, 'canary.schedule'), page: textOf(sent, 'canary.page').trim() };
    return attempt(
      async () => {
        const page = typed.page === '' ? null : typed.page;
        const { canary } = await checked(SetCanaryDto, { canary: { ...typed, page } });
        await this.canaries.change(principal, identifier, canary);
        return goTo(`${addressOf(identifier)}#canary`, 'saved');
      },
      (problems) => this.page(input, { typed, problems }),
    );
  }

  /** Check the page of a form now. */
  @Post('forms/:identifier/activity/check')
  @Allows('see')
  async check(@Asked() { principal, identifier }: PageInput) {
    await this.canaries.run(principal, identifier);
    return goTo(`${addressOf(identifier)}#canary`, 'checked');
  }

  private async page(
    { principal, identifier, query, signedIn: { person, isOperator } }: PageInput,
    refusedInput?: Refused,
  ) {
    const found = await this.read(query, person.timeZone, (span) =>
      this.statistics.ofForm(principal, identifier, span),
    );
    const { span } = found;
    const days = Math.min(daysBetween(span.from, span.to), REFUSALS_DAYS_MAX);
    const [{ form, watch, days: usual }, facets, refusals, visits] = await Promise.all([
      this.watches.show(principal, identifier),
      this.facetsOf(principal, identifier, span, isOperator),
      this.refusals.ofForm(principal, identifier, days),
      this.visits.ofForm(principal, identifier, span),
    ]);
    const findings = await this.health.ofForm(principal, identifier);
    const shown = formPage(form, ActivityPage, {
      ...{ ...found, facets, reportOf: null, labelOf: form.fields.labelOf.bind(form.fields) },
      ...{ watch, usual, refusals: { days, all: refusals }, visits, now: this.clock.now() },
      findings: findings.filter(isVital),
      canary: principal.has('forms:read') ? await this.canaryOf(principal, identifier, refusedInput) : null,
      problems: refusedInput && !refusedInput.typed ? refusedInput.problems : [],
    });
    return refusedInput ? refused(shown) : answer(found.ask, shown);
  }

  private async canaryOf(principal: Principal, identifier: string, refusedInput?: Refused) {
    const canary = await this.canaries.show(principal, identifier);
    const { schedule, page } = canary;
    return {
      canary,
      isRunning: this.config.intake.canary === 'on',
      typed: refusedInput?.typed ?? { schedule, page: page ?? '' },
      problems: refusedInput?.typed ? refusedInput.problems : [],
    };
  }

  /** Reads what submissions of a span are divided by. */
  private async facetsOf(
    principal: Principal,
    identifier: string | null,
    span: Span,
    isOperator: boolean,
  ): Promise<FacetsShown> {
    const { countryHeader, storeIp } = this.config.intake;
    const [sources, countries, fields] = await Promise.all([
      this.facets.pages(principal, identifier, span),
      this.facets.countries(principal, identifier, span),
      identifier === null ? [] : this.facets.values(principal, identifier, span),
    ]);
    const tellsOfCountries = isOperator && countryHeader === undefined && storeIp !== 'none';
    return { ...sources, countries, fields, tellsOfCountries };
  }

  /** Reads what is asked for; when that cannot be, the usual span, and what is wrong. */
  private async read(query: Typed, zone: string, read: (span: Span) => Promise<Statistics>) {
    const now = this.clock.now();
    const ask = askOf(query, zone, now);
    const span = spanOf(ask, zone, now);
    try {
      const statistics = await read(span);
      return { ask, span, statistics: ask.withoutImports ? withoutImports(statistics) : statistics };
    } catch (error) {
      const failed = { ...ask, problems: problemsOf(error) };
      const usual = spanOf(failed, zone, now);
      return { ask: failed, span: usual, statistics: await read(usual) };
    }
  }
}

function addressOf(identifier: string) {
  return `/forms/${identifier}/activity`;
}

function answer({ problems }: StatisticsAsk, shown: PageAnswer) {
  return problems.length > 0 ? refused(shown) : shown;
}
