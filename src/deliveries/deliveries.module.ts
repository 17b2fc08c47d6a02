import { Module } from '@nestjs/common';
import { BacklogRepository } from './backlog.repository.js';
import { CounterChangesRepository } from './model/counter-changes.repository.js';
import { CallTimeouts } from './queue/call-timeouts.js';
import { DeliveriesRepository, ReturnedMailsRepository } from './deliveries.repository.js';
import { DeliveriesService, DeliveryFates } from './deliveries.service.js';
import { DeliveryQueueRepository } from './queue/delivery-queue.repository.js';
import { DeliveryWorker } from './queue/delivery-worker.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { DigestsService } from './digests/digests.service.js';
import { Holds, OptIns } from './holds/holds.service.js';
import { HoldsRepository, OptInsRepository } from './holds/holds.repository.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import { ReturnedMails, DeliveryLog } from './delivery-log.js';
import { DestinationNames } from './destination-names.js';

@Module({
  providers: [
    BacklogRepository,
    CallTimeouts,
    CounterChangesRepository,
    DeliveriesRepository,
    DeliveriesService,
    DeliveryFates,
    DeliveryLog,
    DeliveryQueueRepository,
    DeliveryWorker,
    DestinationNames,
    DigestsRepository,
    DigestsService,
    FailedDeliveriesRepository,
    Holds,
    HoldsRepository,
    OptIns,
    OptInsRepository,
    ReturnedMails,
    ReturnedMailsRepository,
  ],
  exports: [
    CallTimeouts,
    DeliveriesService,
    DeliveryFates,
    DeliveryWorker,
    DestinationNames,
    DigestsService,
    Holds,
    OptIns,
    ReturnedMails,
  ],
})
export class DeliveriesModule {}
