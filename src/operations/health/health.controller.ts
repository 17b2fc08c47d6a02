import { Controller, Get, Query } from '@nestjs/common';
import { Public } from '../../accounts/access/index.js';
import { VERSION } from '../../platform/index.js';
import { HostUnknown } from '../../clients/hosts/host.errors.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { HealthDto, HostDto, HostQueryDto, LiveDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly addresses: PublicAddresses,
  ) {}

  /** Tell whether the process responds. */
  @Get('live')
  live(): LiveDto {
    return { status: 'ok', version: VERSION };
  }

  /** Tell whether a host serves a client, for proxies that get a certificate on demand. 404 if not. */
  @Get('host')
  async host(@Query() { domain }: HostQueryDto): Promise<HostDto> {
    if ((await this.addresses.holderOf(domain)) === null) throw new HostUnknown();
    return { host: domain };
  }

  /**
   * Tell whether the service is ready for requests: the database answers, has every migration and an account.
   * 503 if not. `degraded` when a nearly full disk takes no files.
   */
  @Get('ready')
  async ready(): Promise<HealthDto> {
    await this.health.assertReady();
    const detail = await this.health.shortcoming();
    return detail === null ? { status: 'ok' } : { status: 'degraded', detail };
  }
}
