import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { Attempt } from './attempt.entity.js';
import { BacklogRepository } from './backlog.repository.js';
import { QueuedChange } from './counter-change.entity.js';
import { CounterChangesRepository } from './counter-changes.repository.js';
import { CallTimeouts } from './call-timeouts.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryQueueRepository } from './delivery-queue.repository.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DigestsRepository } from './digests.repository.js';
import { DigestsService } from './digests.service.js';
import { Delivery } from './delivery.entity.js';
import { Holds } from './holds.service.js';
import { DeliveryFates } from './fates.service.js';
import { HoldsRepository } from './holds.repository.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import { DeliveryLog } from './delivery-log.js';

@Module({
  imports: [TypeOrmModule.forFeature([Delivery, Attempt, QueuedChange]), AuditModule],
  providers: [
    DigestsRepository,
    DigestsService,
    DeliveriesRepository,
    DeliveryQueueRepository,
    DeliveriesService,
    DeliveryLog,
    Holds,
    HoldsRepository,
    DeliveryWorker,
    CallTimeouts,
    BacklogRepository,
    FailedDeliveriesRepository,
    CounterChangesRepository,
    DeliveryFates,
  ],
  exports: [DeliveryFates, DigestsService, DeliveriesService, DeliveryWorker, CallTimeouts, Holds],
})
export class DeliveriesModule {}
