import { Body, Controller, Get, Put } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/access.decorators.js';
import { SetWatchDto, FormWatchDto } from './dto/watch.dto.js';
import { WatchService } from './watcher.js';

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
  async set(
    @InForm() { principal, identifier }: InForm,
    @Body() { watch }: SetWatchDto,
  ): Promise<SetWatchDto> {
    await this.watches.setLevel(principal, identifier, watch.level);
    return { watch: { level: watch.level } };
  }
}
