export { Confirmations } from './confirmations/confirmations.service.js';
export { ConfirmationsController } from './confirmations/confirmations.controller.js';
export {
  DeliveriesController,
  SubmissionDeliveriesController,
} from './deliveries/deliveries.controller.js';
export { EditsController } from './edits/edits.controller.js';
export { EditsService } from './edits/edits.service.js';
export { ErasureService, Leftovers, SubmissionPurger } from './erasure/erasure.service.js';
export { ImportedSubmissions } from './storage/imported-submissions.service.js';
export { FileQuota } from './storage/file-quota.js';
export { Probes } from './storage/probes.service.js';
export { Idempotency } from './storage/idempotency.js';
export { IdempotencyKeysRepository } from './storage/idempotency-keys.repository.js';
export { SubmissionsService } from './submissions.service.js';
export { LateVerdicts, VerdictsService } from './verdicts/verdicts.service.js';
export { LeftoversRepository } from './erasure/leftovers.repository.js';
export { NewSubmissions, SubmissionIntake } from './storage/submission-intake.service.js';
export { RepeatsController } from './repeats/repeats.controller.js';
export { RepeatsRepository } from './repeats/repeats.repository.js';
export { RepeatsService } from './repeats/repeats.service.js';
export { SubmissionActs } from './acts/submission-acts.service.js';
export { SubmissionActsRepository } from './acts/submission-acts.repository.js';
export { SubmissionBatchesRepository } from './rows/received.js';
export { SubmissionIds } from './rows/submission-ids.js';
export { SubmissionWriter } from './storage/submission-writer.js';
export { SubmissionsController } from './submissions.controller.js';
export { SubmissionsRepository } from './rows/submissions.repository.js';
export { Trash } from './trash/trash.service.js';
export { TrashRepository } from './trash/trash.repository.js';
export { VerdictsController } from './verdicts/verdicts.controller.js';
export { VerdictsRepository } from './verdicts/verdicts.repository.js';
export { FileLinksController } from './files/file-links.controller.js';
export { FileStore } from './files/file-store.js';
export { FilesService } from './files/files.service.js';
export { FilesRepository } from './files/files.repository.js';
export { FileScansRepository } from './files/scans/file-scans.repository.js';
export { VirusScanner } from './files/scans/virus-scanner.js';
export { SubmissionMarks } from './submission-marks.service.js';
