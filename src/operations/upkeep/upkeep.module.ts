import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FilesModule } from '../../files/files.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { SubmissionsModule } from '../../submissions/submissions.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { Upkeep } from './upkeep.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    FilesModule,
    RateLimitsModule,
    SubmissionsModule,
    WebhooksModule,
    SessionsModule,
  ],
  providers: [Upkeep],
})
export class UpkeepModule {}
