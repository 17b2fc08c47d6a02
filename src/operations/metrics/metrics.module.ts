import { Module } from '@nestjs/common';
import { BouncesModule } from '../../bounces/bounces.module.js';
import { CanaryModule } from '../../canary/canary.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FilesModule } from '../../files/files.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { IntakeModule } from '../../intake/intake.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { CanaryMetrics, WatchMetrics } from './form-metrics.js';
import { MetricsServer } from './metrics-server.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { WatchModule } from '../../watch/watch.module.js';
import { SubmissionsModule } from '../../submissions/submissions.module.js';

@Module({
  imports: [
    BackupModule,
    BouncesModule,
    CanaryModule,
    FilesModule,
    HttpModule,
    IntakeModule,
    RateLimitsModule,
    SubmissionsModule,
    DeliveriesModule,
    WatchModule,
  ],
  controllers: [MetricsController],
  providers: [CanaryMetrics, Metrics, MetricsServer, WatchMetrics],
})
export class MetricsModule {}
