import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { SubmissionsModule } from '../../submissions/submissions.module.js';
import { Heartbeat } from './heartbeat.js';

@Module({
  imports: [DeliveriesModule, SubmissionsModule],
  providers: [Heartbeat],
})
export class HeartbeatModule {}
