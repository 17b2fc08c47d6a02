import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { FormOwners } from './form-owners.js';
import { ExportService } from './export/export.service.js';
import { ExportsController } from './export/exports.controller.js';
import { RetentionController } from './retention.controller.js';
import { Debts } from './debts.js';
import { SubmissionBatch } from './submission-batch.entity.js';
import { SubmissionDeliveriesController } from './submission-deliveries.controller.js';
import { SubmissionPurger } from './submission-purger.js';
import { SubmissionIds } from './submission-ids.js';
import { SubmissionValue } from './submission-value.entity.js';
import { SubmissionWriter } from './submission-writer.js';
import { Submission } from './submission.entity.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { SubmissionsService } from './submissions.service.js';
import { ValueIndex } from './value-index.js';
import { ValueIndexer } from './value-indexer.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Submission, SubmissionBatch, SubmissionValue]),
    FormsModule,
    FilesModule,
    AccountsModule,
    DeliveriesModule,
  ],
  controllers: [
    ExportsController,
    SubmissionsController,
    SubmissionDeliveriesController,
    RetentionController,
  ],
  providers: [
    SubmissionsRepository,
    SubmissionIds,
    SubmissionsService,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndex,
    ValueIndexer,
    ExportService,
    Debts,
    FormOwners,
  ],
  exports: [
    FormOwners,
    SubmissionsService,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndexer,
    Debts,
  ],
})
export class SubmissionsModule {}
