import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { HostsModule } from '../../hosts/hosts.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [AccountsModule, HostsModule],
  controllers: [HealthController],
  providers: [HealthService],
})
export class HealthModule {}
