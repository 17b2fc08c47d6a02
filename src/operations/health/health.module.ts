import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [HealthController],
  providers: [HealthService],
})
export class HealthModule {}
