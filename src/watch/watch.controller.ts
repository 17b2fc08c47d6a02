import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { SetWatchDto, FormWatchDto } from './dto/watch.dto.js';
import { WatchService } from './watcher.js';

@Controller('api/v1/forms/:identifier/watch')
export class WatchController {
  constructor(private readonly watches: WatchService) {}

  /** Show whether a form lives as it used to. */
  @Get()
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FormWatchDto> {
    return FormWatchDto.of(await this.watches.show(principal, identifier));
  }

  /** Set how soon the silence of a form is told. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { watch }: SetWatchDto,
  ): Promise<SetWatchDto> {
    await this.watches.setLevel(principal, identifier, watch.level);
    return { watch: { level: watch.level } };
  }
}
