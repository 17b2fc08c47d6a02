import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormsModule } from '../forms/forms.module.js';
import { Attempt } from './attempt.entity.js';
import { BacklogRepository } from './backlog.repository.js';
import { CallTimeouts } from './call-timeouts.js';
import { DeliveriesController } from '../submissions/deliveries/form-deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryQueueRepository } from './delivery-queue.repository.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DigestsRepository } from './digests.repository.js';
import { DigestsService } from './digests.service.js';
import { Delivery } from './delivery.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Delivery, Attempt]), FormsModule],
  controllers: [DeliveriesController],
  providers: [
    DigestsRepository,
    DigestsService,
    DeliveriesRepository,
    DeliveryQueueRepository,
    DeliveriesService,
    DeliveryWorker,
    CallTimeouts,
    BacklogRepository,
  ],
  exports: [DigestsService, DeliveriesService, DeliveryWorker, CallTimeouts, BacklogRepository],
})
export class DeliveriesModule {}
