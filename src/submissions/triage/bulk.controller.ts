import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { BulkService } from './bulk.service.js';
import { BulkChangedDto, BulkDto } from './dto/bulk.dto.js';

@Controller('api/v1/submissions/bulk')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Change up to 100 submissions, of any forms, each by itself. All but `read` needs `submissions:write`
   * too. Ids that are unknown are left out.
   */
  @Post()
  @HttpCode(200)
  @Requires('submissions:read')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() body: BulkDto,
  ): Promise<BulkChangedDto> {
    const changed = await this.bulk.change(principal, BulkDto.ids(body), BulkDto.changes(body));
    return { changed: changed.map(formatUuid) };
  }
}
