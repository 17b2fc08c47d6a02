import { Get } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, RoutesRequire } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { FacetsService } from '../../statistics/facets/facets.service.js';
import type { Span } from '../../statistics/span.js';
import { StatisticsService, type Statistics } from '../../statistics/counts/statistics.service.js';
import { problemsOf, type Typed } from '../parts/typed.js';
import { askOf, spanOf, type StatisticsAsk, type FacetsShown } from './facets.js';
import { StatisticsPage } from './statistics.page.js';
import { formPage, page, refused, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Shows what forms received, as charts. */
@WebController()
@RoutesRequire('submissions:read')
export class StatisticsPagesController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly facets: FacetsService,
    private readonly forms: FormQueries,
    private readonly config: Config,
  ) {}

  /** Show what all forms received. */
  @Get('statistics')
  @Allows('see')
  async ofAll(
    @Asked() { principal, signedIn: { person, isOperator }, query }: PageInput,
  ): Promise<PageAnswer> {
    const read = (span: Span) => this.statistics.ofAll(principal, span);
    const found = await this.read(query, person.timeZone, read);
    const facets = await this.facetsOf(principal, null, found.span, isOperator);
    const labelOf = (field: string) => field;
    const shown = { form: null, ...found, facets, labelOf, reportOf: principal.clientId };
    return answer(found.ask, page(StatisticsPage, shown));
  }

  /** Show what a form received. */
  @Get('forms/:identifier/statistics')
  @Allows('see')
  async ofForm(
    @Asked() { principal, signedIn: { person, isOperator }, identifier, query }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const read = (span: Span) => this.statistics.ofForm(principal, identifier, span);
    const found = await this.read(query, person.timeZone, read);
    const facets = await this.facetsOf(principal, identifier, found.span, isOperator);
    const { labels } = form;
    const labelOf = labels.of.bind(labels);
    const shown = { ...found, facets, labelOf, reportOf: null };
    return answer(found.ask, formPage(form, StatisticsPage, shown));
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
  private async read(
    query: Typed,
    zone: string,
    read: (span: Span) => Promise<Statistics>,
  ): Promise<{ ask: StatisticsAsk; span: Span; statistics: Statistics }> {
    const now = new Date();
    const ask = askOf(query, zone, now);
    const span = spanOf(ask, zone, now);
    try {
      return { ask, span, statistics: await read(span) };
    } catch (error) {
      const failed = { ...ask, problems: problemsOf(error) };
      const usual = spanOf(failed, zone, now);
      return { ask: failed, span: usual, statistics: await read(usual) };
    }
  }
}

function answer({ problems }: StatisticsAsk, shown: PageAnswer): PageAnswer {
  return problems.length > 0 ? refused(shown) : shown;
}
