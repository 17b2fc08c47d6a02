import { Room } from '../platform/room.js';
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
import { ExportJobWorker } from './exports/export-job-worker.js';
import { ExportJobsService } from './exports/export-jobs.service.js';
import { RejudgeService } from './queue/rejudge.service.js';
import { Rejudging } from './changes/rejudging.service.js';

/** Runs jobs on all submissions of a filter: changes, new verdicts, exports. */
@Room({
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
})
export class JobsModule {}
