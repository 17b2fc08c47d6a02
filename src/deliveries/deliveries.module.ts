import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempt } from './model/attempt.entity.js';
import { BacklogRepository } from './backlog.repository.js';
import { QueuedChange } from './model/counter-change.entity.js';
import { CounterChangesRepository } from './model/counter-changes.repository.js';
import { CallTimeouts } from './queue/call-timeouts.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryQueueRepository } from './queue/delivery-queue.repository.js';
import { DeliveryWorker } from './queue/delivery-worker.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { DestinationDeliveries } from './destination-deliveries.service.js';
import { DigestsService } from './digests/digests.service.js';
import { Delivery } from './model/delivery.entity.js';
import { DigestEntry } from './model/digest-entry.entity.js';
import { Holds } from './holds/holds.service.js';
import { DeliveryFates } from './fates.service.js';
import { HoldsRepository } from './holds/holds.repository.js';
import { OptIns } from './holds/opt-ins.service.js';
import { OptInsRepository } from './holds/opt-ins.repository.js';
import { OptIn } from './model/opt-in.entity.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import { ReturnedMails } from './returned-mails.service.js';
import { ReturnedMailsRepository } from './returned-mails.repository.js';
import { DestinationNames } from './destination-names.js';
import { DeliveryLog } from './delivery-log.js';

@Module({
  imports: [TypeOrmModule.forFeature([Delivery, Attempt, DigestEntry, OptIn, QueuedChange])],
  providers: [
    DigestsRepository,
    DigestsService,
    DeliveriesRepository,
    DeliveryQueueRepository,
    DeliveriesService,
    DestinationDeliveries,
    DestinationNames,
    DeliveryLog,
    Holds,
    HoldsRepository,
    OptIns,
    OptInsRepository,
    DeliveryWorker,
    CallTimeouts,
    BacklogRepository,
    FailedDeliveriesRepository,
    CounterChangesRepository,
    DeliveryFates,
    ReturnedMails,
    ReturnedMailsRepository,
  ],
  exports: [
    DeliveryFates,
    DigestsService,
    DeliveriesService,
    DestinationDeliveries,
    DestinationNames,
    DeliveryWorker,
    CallTimeouts,
    Holds,
    OptIns,
    ReturnedMails,
  ],
})
export class DeliveriesModule {}
