import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/uuid.pipe.js';
import { TimelineDto } from './dto/timeline.dto.js';
import { TimelineService } from './timeline.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/timeline')
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  /**
   * Show the activity of a submission: received, judged, its deliveries and notes, who first saw it when, and
   * who did what to it, and when its visitor confirmed it. The last 200 things that were done are kept; it goes with its submission.
   */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<TimelineDto> {
    return TimelineDto.of(await this.timeline.show(principal, identifier, id));
  }
}
