import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { ExportService } from './export/export.service.js';
import { ExportsController } from './export/exports.controller.js';
import { RetentionController } from './retention.controller.js';
import { SubmissionBatch } from './submission-batch.entity.js';
import { SubmissionPurger } from './submission-purger.js';
import { SubmissionValue } from './submission-value.entity.js';
import { SubmissionWriter } from './submission-writer.js';
import { Submission } from './submission.entity.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { SubmissionsService } from './submissions.service.js';
import { ValueIndex } from './value-index.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Submission, SubmissionBatch, SubmissionValue]),
    FormsModule,
    FilesModule,
  ],
  controllers: [ExportsController, SubmissionsController, RetentionController],
  providers: [
    SubmissionsRepository,
    SubmissionsService,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndex,
    ExportService,
  ],
  exports: [SubmissionsService, SubmissionWriter, SubmissionPurger, ValueIndex],
})
export class SubmissionsModule {}
