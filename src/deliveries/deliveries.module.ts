import { Room } from '../platform/room.js';
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
import { DeliveryPlanner } from './delivery-planner.js';
import { RecipientsController } from './recipients/recipients.controller.js';
import { RecipientsRepository } from './recipients/recipients.repository.js';
import { RecipientsService } from './recipients/recipients.service.js';
import { DestinationNames } from './destination-names.js';

@Room({
  controllers: [RecipientsController],
  providers: [
    BacklogRepository,
    CallTimeouts,
    CounterChangesRepository,
    DeliveriesRepository,
    DeliveriesService,
    DeliveryFates,
    DeliveryLog,
    DeliveryPlanner,
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
    RecipientsRepository,
    RecipientsService,
    ReturnedMails,
    ReturnedMailsRepository,
  ],
})
export class DeliveriesModule {}
