import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { FormsService } from '../../forms/forms.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { FacetsService } from '../../statistics/facets/facets.service.js';
import type { Span } from '../../statistics/span.js';
import { StatisticsService, type Statistics } from '../../statistics/counts/statistics.service.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { problemsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { askOf, spanOf, type StatisticsAsk } from './statistics-ask.js';
import type { FacetsShown } from './facets.js';
import { StatisticsPage } from './statistics.page.js';

/** Shows what forms received, as charts. */
@WebController()
export class StatisticsPagesController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly facets: FacetsService,
    private readonly forms: FormsService,
    private readonly config: Config,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show what all forms received. */
  @Get('statistics')
  @Requires('submissions:read')
  @Allows('see')
  async ofAll(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person, isOperator }: SignedIn,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const read = (span: Span) => this.statistics.ofAll(principal, span);
    const found = await this.read(query, person.timeZone, read);
    const facets = await this.facetsOf(principal, null, found.span, isOperator);
    const frame = await this.frames.of(request, response);
    const labelOf = (field: string) => field;
    const shown = { frame, form: null, ...found, facets, labelOf, reportOf: principal.clientId };
    sendPage(response, StatisticsPage(shown), statusOf(found.ask));
  }

  /** Show what a form received. */
  @Get('forms/:identifier/statistics')
  @Requires('submissions:read')
  @Allows('see')
  async ofForm(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person, isOperator }: SignedIn,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const read = (span: Span) => this.statistics.ofForm(principal, identifier, span);
    const found = await this.read(query, person.timeZone, read);
    const facets = await this.facetsOf(principal, identifier, found.span, isOperator);
    const frame = await this.frames.of(request, response);
    const { labels } = form;
    const labelOf = labels.of.bind(labels);
    const shown = {
      frame,
      form: await this.heads.of(principal, form),
      ...found,
      facets,
      labelOf,
      reportOf: null,
    };
    sendPage(response, StatisticsPage(shown), statusOf(found.ask));
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
    const tellsOfCountries = isOperator && countryHeader === null && storeIp !== 'none';
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

function statusOf({ problems }: StatisticsAsk): number {
  return problems.length > 0 ? UNPROCESSABLE : 200;
}
