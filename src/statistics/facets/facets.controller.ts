import { Controller, Get, Query } from '@nestjs/common';
import {
  CurrentPrincipal,
  RoutesRequire,
  InForm,
} from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import { CountryStatisticsDto, PageStatisticsDto, ValueStatisticsDto } from './dto/facets.dto.js';
import { FacetsService } from './facets.service.js';
import { DaysQueryDto } from '../days-query.dto.js';

@Controller('api/v1')
@RoutesRequire('submissions:read')
export class FacetsController {
  constructor(private readonly facets: FacetsService) {}

  /** Count the submissions of all forms by page and origin. */
  @Get('statistics/pages')
  async pagesOfAll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: DaysQueryDto,
  ): Promise<PageStatisticsDto> {
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
  async pages(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DaysQueryDto,
  ): Promise<PageStatisticsDto> {
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

  /** Count the values of fields with few different values, such as a select. */
  @Get('forms/:identifier/statistics/values')
  async values(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DaysQueryDto,
  ): Promise<ValueStatisticsDto> {
    const days = DaysQueryDto.days(query, new Date());
    return ValueStatisticsDto.of(days, await this.facets.values(principal, identifier, days));
  }
}
