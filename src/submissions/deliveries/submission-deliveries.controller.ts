import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Uuid, UuidInPath } from '../../platform/http/uuid.pipe.js';
import { DeliveryDto, DeliveryListDto } from './dto/delivery.dto.js';
import { SubmissionsService } from '../submissions.service.js';

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
