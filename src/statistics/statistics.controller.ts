import { Controller, Get, Query } from '@nestjs/common';
import { CurrentPrincipal, RoutesRequire, InForm, Requires, Principal } from '../accounts/access/index.js';
import {
  StatisticsDto,
  StatisticsQueryDto,
  CountryStatisticsDto,
  PageStatisticsDto,
  ValueStatisticsDto,
  VisitStatisticsDto,
  DaysQueryDto,
  SpamStatisticsDto,
} from './statistics.dto.js';
import { StatisticsService } from './statistics.service.js';
import { VisitsService } from './visits.service.js';
import { FacetsService } from './facets.service.js';
import { SpamStatisticsService } from './spam-statistics.service.js';

@Controller('api/v1')
@RoutesRequire('submissions:read')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  /** Count the submissions of all forms by hour, day, week or month. */
  @Get('statistics')
  async ofAll(@CurrentPrincipal() principal: Principal, @Query() query: StatisticsQueryDto): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofAll(principal, span));
  }

  /** Count the submissions of a form by hour, day, week or month. */
  @Get('forms/:identifier/statistics')
  async ofForm(
    @InForm() { principal, identifier }: InForm,
    @Query() query: StatisticsQueryDto,
  ): Promise<StatisticsDto> {
    const span = StatisticsQueryDto.span(query, new Date());
    return StatisticsDto.of(span, await this.statistics.ofForm(principal, identifier, span));
  }
}

@Controller('api/v1')
@RoutesRequire('submissions:read')
export class FacetsController {
  constructor(
    private readonly facets: FacetsService,
    private readonly visits: VisitsService,
  ) {}

  /** Count the submissions of all forms by page and origin. */
  @Get('statistics/pages')
  async pagesOfAll(@CurrentPrincipal() principal: Principal, @Query() query: DaysQueryDto): Promise<PageStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return PageStatisticsDto.of(days, await this.facets.pages(principal, null, days));
  }

  /** Count the submissions of all forms by country. */
  @Get('statistics/countries')
  async countriesOfAll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: DaysQueryDto,
  ): Promise<CountryStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return CountryStatisticsDto.of(days, await this.facets.countries(principal, null, days));
  }

  /** Count the submissions of a form by page and origin. */
  @Get('forms/:identifier/statistics/pages')
  async pages(@InForm() { principal, identifier }: InForm, @Query() query: DaysQueryDto): Promise<PageStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return PageStatisticsDto.of(days, await this.facets.pages(principal, identifier, days));
  }

  /** Count the submissions of a form by country. */
  @Get('forms/:identifier/statistics/countries')
  async countries(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DaysQueryDto,
  ): Promise<CountryStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return CountryStatisticsDto.of(days, await this.facets.countries(principal, identifier, days));
  }

  /** Count visits to the pages of a form, and how many ended in a submission, by page and campaign. */
  @Get('forms/:identifier/statistics/visits')
  async visitsOf(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DaysQueryDto,
  ): Promise<VisitStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return VisitStatisticsDto.of(days, await this.visits.ofForm(principal, identifier, days));
  }

  /** Count the values of fields with few different values, such as a select. */
  @Get('forms/:identifier/statistics/values')
  async values(@InForm() { principal, identifier }: InForm, @Query() query: DaysQueryDto): Promise<ValueStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return ValueStatisticsDto.of(days, await this.facets.values(principal, identifier, days));
  }
}

@Controller('api/v1/forms/:identifier/spam/statistics')
export class SpamStatisticsController {
  constructor(private readonly statistics: SpamStatisticsService) {}

  /** Count the submissions that each signal caught, and how often people corrected it. */
  @Get()
  @Requires('submissions:read')
  async show(@InForm() { principal, identifier }: InForm, @Query() query: DaysQueryDto): Promise<SpamStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return SpamStatisticsDto.of(days, await this.statistics.ofForm(principal, identifier, days));
  }
}
