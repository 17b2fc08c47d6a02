import { Module } from '@nestjs/common';
import {
  BulkController,
  ExportJobsController,
  ExportLinksController,
  JobsController,
  RejudgeController,
} from './jobs.controller.js';
import { BulkJobWorker, BulkJobsService } from './queue/bulk-jobs.service.js';
import { BulkJobsRepository } from './queue/bulk-jobs.repository.js';
import { BulkService } from './changes/bulk.service.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { ExportJobWorker } from './exports/export-job-worker.js';
import { ExportJobsService } from './exports/export-jobs.service.js';
import { ExportsModule } from '../exports/exports.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RejudgeService } from './queue/rejudge.service.js';
import { Rejudging } from './changes/rejudging.service.js';
import { SearchModule } from '../search/search.module.js';
import { SpamLearningModule } from '../spam/learning/spam-learning.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { TriageModule } from '../triage/triage.module.js';

/** Runs jobs on all submissions of a filter: changes, new verdicts, exports. */
@Module({
  imports: [
    DeliveriesModule,
    ExportsModule,
    FormsModule,
    NotificationsModule,
    SearchModule,
    SpamLearningModule,
    SpamModule,
    SubmissionsModule,
    TriageModule,
  ],
  controllers: [
    BulkController,
    JobsController,
    ExportJobsController,
    ExportLinksController,
    RejudgeController,
  ],
  providers: [
    BulkJobsRepository,
    BulkJobsService,
    BulkJobWorker,
    BulkService,
    ExportJobsService,
    ExportJobWorker,
    RejudgeService,
    Rejudging,
  ],
  exports: [BulkJobsService, BulkService, ExportJobsService, RejudgeService],
})
export class JobsModule {}
