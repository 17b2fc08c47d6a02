import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import {
  DiscardedDto,
  FailedCountDto,
  FailedDeliveriesDto,
  RedeliveredDto,
  DeliveryDto,
  DeliveryListDto,
} from './dto/delivery.dto.js';
import { Uuid, UuidInPath } from '../../platform/http/wrapped.js';
import { SubmissionsService } from '../submissions.service.js';

@Controller('api/v1/forms/:identifier')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormQueries,
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

const NO_ID = Buffer.alloc(0);

@Controller('api/v1/forms/:identifier/submissions/:id/deliveries')
export class SubmissionDeliveriesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Show the deliveries of a submission with all attempts. */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<DeliveryListDto> {
    const { submission } = await this.submissions.get(principal, identifier, id);
    return DeliveryListDto.of(await this.deliveries.listFor(principal, submission.id));
  }

  /** Retry a delivery now, in any state, and return the result. */
  @Post(':deliveryId/attempts')
  @UuidInPath('id')
  @UuidInPath('deliveryId')
  @HttpCode(200)
  @Requires('submissions:write')
  async tryNow(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('deliveryId', Uuid) deliveryId: Buffer | null,
  ): Promise<DeliveryDto> {
    const { form, submission } = await this.submissions.get(principal, identifier, id);
    const tried = await this.deliveries.tryNow(principal, form, submission.id, deliveryId ?? NO_ID);
    return DeliveryDto.of(tried);
  }
}
