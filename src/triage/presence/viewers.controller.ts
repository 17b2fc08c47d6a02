import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/uuid.pipe.js';
import { ViewersDto } from './dto/viewers.dto.js';
import { PresenceService } from './presence.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/viewers')
export class ViewersController {
  constructor(private readonly presence: PresenceService) {}

  /**
   * List people who have a submission open in a browser. An event `presence` says that it changed in the form;
   * who leaves without a word, as by a lost connection, counts for 75 s more.
   */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<ViewersDto> {
    return ViewersDto.of(await this.presence.others(principal, identifier, id));
  }
}
