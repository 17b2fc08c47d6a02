import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ExportService } from './export/export.service.js';
import { ExportsController } from './export/exports.controller.js';
import { DeliveriesController } from './deliveries/form-deliveries.controller.js';
import { Idempotency } from './storage/idempotency.js';
import { IdempotencyKey } from './storage/idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './storage/idempotency-keys.repository.js';
import { SubmissionIntake } from './storage/submission-intake.service.js';
import { InboxRepository } from './inbox.repository.js';
import { InboxService } from './inbox.service.js';
import { SubmissionBatch } from './storage/submission-batch.entity.js';
import { SubmissionDeliveriesController } from './deliveries/submission-deliveries.controller.js';
import { SubmissionPurger } from './submission-purger.js';
import { SubmissionIds } from './submission-ids.js';
import { SubmissionValue } from './values/submission-value.entity.js';
import { SubmissionWriter } from './storage/submission-writer.js';
import { Submission } from './submission.entity.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { SubmissionsService } from './submissions.service.js';
import { ValueIndex } from './values/value-index.js';
import { ValueIndexRepository } from './values/value-index.repository.js';
import { ValueIndexer } from './values/value-indexer.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([IdempotencyKey, Submission, SubmissionBatch, SubmissionValue]),
    FormsModule,
    FilesModule,
    NotificationsModule,
    DeliveriesModule,
  ],
  controllers: [
    ExportsController,
    SubmissionsController,
    SubmissionDeliveriesController,
    DeliveriesController,
  ],
  providers: [
    Idempotency,
    IdempotencyKeysRepository,
    SubmissionIntake,
    InboxRepository,
    InboxService,
    SubmissionsRepository,
    SubmissionIds,
    SubmissionsService,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndex,
    ValueIndexRepository,
    ValueIndexer,
    ExportService,
  ],
  exports: [
    Idempotency,
    InboxService,
    SubmissionIntake,
    SubmissionsService,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndexer,
  ],
})
export class SubmissionsModule {}
