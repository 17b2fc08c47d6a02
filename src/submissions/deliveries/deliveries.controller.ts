import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import {
  DiscardedDto,
  FailedCountDto,
  FailedDeliveriesDto,
  RedeliveredDto,
  DeliveryDto,
  DeliveryListDto,
} from './delivery.dto.js';
import { UuidParam } from '../../platform/http/index.js';
import { SubmissionsService } from '../submissions.service.js';

@Controller('api/v1/forms/:identifier')
@RoutesRequire('submissions:read', 'submissions:write')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormQueries,
  ) {}

  /** Count the failed deliveries that the same filter would retry. */
  @Get('redeliveries')
  async countFailed(
    @InForm() { principal, identifier }: InForm,
    @Query() query: FailedDeliveriesDto,
  ): Promise<FailedCountDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(query);
    return FailedCountDto.of(await this.deliveries.countFailed(principal, form, filter));
  }

  /** Retry failed deliveries of a form, from the start of the schedule. */
  @Post('redeliveries')
  @HttpCode(200)
  async redeliver(
    @InForm() { principal, identifier }: InForm,
    @Body() body: FailedDeliveriesDto,
  ): Promise<RedeliveredDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(body);
    return { redelivered: await this.deliveries.redeliver(principal, form, filter) };
  }

  /** Remove failed deliveries of a form; the submissions stay. */
  @Delete('deliveries')
  async discard(
    @InForm() { principal, identifier }: InForm,
    @Query() query: FailedDeliveriesDto,
  ): Promise<DiscardedDto> {
    const form = await this.forms.get(principal, identifier);
    const filter = FailedDeliveriesDto.filter(query);
    return { discarded: await this.deliveries.discardFailed(principal, form, filter) };
  }
}

const NO_ID = Buffer.alloc(0);

@Controller('api/v1/forms/:identifier/submissions/:id/deliveries')
@RoutesRequire('submissions:read', 'submissions:write')
export class SubmissionDeliveriesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Show the deliveries of a submission with all attempts. */
  @Get()
  async list(@InForm('id') { principal, identifier, id }: InForm): Promise<DeliveryListDto> {
    const { submission } = await this.submissions.get(principal, identifier, id);
    return DeliveryListDto.of(await this.deliveries.listFor(principal, submission.id));
  }

  /** Retry a delivery now, in any state, and return the result. */
  @Post(':deliveryId/attempts')
  @HttpCode(200)
  async tryNow(
    @InForm('id') { principal, identifier, id }: InForm,
    @UuidParam('deliveryId') deliveryId: Buffer | null,
  ): Promise<DeliveryDto> {
    const { form, submission } = await this.submissions.get(principal, identifier, id);
    const tried = await this.deliveries.tryNow(principal, form, submission.id, deliveryId ?? NO_ID);
    return DeliveryDto.of(tried);
  }
}
