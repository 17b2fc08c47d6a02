import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import {
  DiscardedDto,
  FailedCountDto,
  FailedDeliveriesDto,
  RedeliveredDto,
} from './dto/redelivery.dto.js';

@Controller('api/v1/forms/:identifier')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormsService,
  ) {}

  /** Count the failed deliveries that the same filter would retry. */
  @Get('redeliveries')
  @Requires('submissions:read')
  async countFailed(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: FailedDeliveriesDto,
  ): Promise<FailedCountDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(query);
    return FailedCountDto.of(await this.deliveries.countFailed(principal, form, filter));
  }

  /** Retry failed deliveries of a form, from the start of the schedule. */
  @Post('redeliveries')
  @HttpCode(200)
  @Requires('submissions:write')
  async redeliver(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: FailedDeliveriesDto,
  ): Promise<RedeliveredDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(body);
    return { redelivered: await this.deliveries.redeliver(principal, form, filter) };
  }

  /** Remove failed deliveries of a form; the submissions stay. */
  @Delete('deliveries')
  @Requires('submissions:write')
  async discard(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: FailedDeliveriesDto,
  ): Promise<DiscardedDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(query);
    return { discarded: await this.deliveries.discardFailed(principal, form, filter) };
  }
}
