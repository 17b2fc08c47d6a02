export {
  BulkController,
  ExportJobsController,
  ExportLinksController,
  JobsController,
  RejudgeController,
} from './jobs.controller.js';
export { BulkJobWorker, BulkJobsService } from './queue/bulk-jobs.service.js';
export { BulkJobsRepository } from './queue/bulk-jobs.repository.js';
export { BulkService } from './changes/bulk.service.js';
export { ExportJobWorker } from './queue/export-job-worker.js';
export { ExportFiles } from './queue/export-files.service.js';
export { RejudgeService } from './queue/rejudge.service.js';
export { Rejudging } from './changes/rejudging.service.js';
export { ExportRowsRepository } from './exports/export-rows.repository.js';
export { ExportService, ExportStore } from './exports/export.service.js';
export { ExportsController } from './exports/exports.controller.js';
