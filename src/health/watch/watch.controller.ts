import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { RoutesRequire, InForm, Requires } from '../../accounts/access/index.js';
import { SetWatchDto, FormWatchDto, RefusalListDto, RefusalsQueryDto } from './watch.dto.js';
import { WatchService } from './watcher.js';
import { RefusalsService } from './refusals.service.js';

@Controller('api/v1/forms/:identifier/watch')
@RoutesRequire('submissions:read', 'forms:write')
export class WatchController {
  constructor(private readonly watches: WatchService) {}

  /** Show the monitoring of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<FormWatchDto> {
    return FormWatchDto.of(await this.watches.show(principal, identifier));
  }

  /** Set the alert sensitivity of a form. */
  @Put()
  async set(@InForm() { principal, identifier }: InForm, @Body() { watch }: SetWatchDto): Promise<SetWatchDto> {
    await this.watches.setLevel(principal, identifier, watch.level);
    return { watch: { level: watch.level } };
  }
}

@Controller('api/v1/forms/:identifier/refusals')
export class RefusalsController {
  constructor(private readonly refusals: RefusalsService) {}

  /**
   * Count the submissions that a form refused in the last days, by hour and reason, for example because a field was missing.
   * The last minute is not counted yet.
   */
  @Get()
  @Requires('submissions:read')
  async list(@InForm() { principal, identifier }: InForm, @Query() query: RefusalsQueryDto): Promise<RefusalListDto> {
    const days = RefusalsQueryDto.days(query);
    return RefusalListDto.of(await this.refusals.ofForm(principal, identifier, days));
  }
}
