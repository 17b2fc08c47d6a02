import { Room } from '../platform/room.js';
import { Confirmations } from './confirmations/confirmations.service.js';
import { ConfirmationsController } from './confirmations/confirmations.controller.js';
import {
  DeliveriesController,
  SubmissionDeliveriesController,
} from './deliveries/deliveries.controller.js';
import { EditsController } from './edits/edits.controller.js';
import { EditsService } from './edits/edits.service.js';
import { ErasureService, Leftovers, SubmissionPurger } from './erasure/erasure.service.js';
import { ImportedSubmissions } from './storage/imported-submissions.service.js';
import { FileQuota } from './storage/file-quota.js';
import { Probes } from './storage/probes.service.js';
import { Idempotency } from './storage/idempotency.js';
import { IdempotencyKeysRepository } from './storage/idempotency-keys.repository.js';
import { SubmissionsService } from './submissions.service.js';
import { LateScans, VerdictsService } from './verdicts/verdicts.service.js';
import { LeftoversRepository } from './erasure/leftovers.repository.js';
import { NewSubmissions, SubmissionIntake } from './storage/submission-intake.service.js';
import { RepeatsController } from './repeats/repeats.controller.js';
import { RepeatsRepository } from './repeats/repeats.repository.js';
import { RepeatsService } from './repeats/repeats.service.js';
import { SubmissionActs } from './acts/submission-acts.service.js';
import { SubmissionActsRepository } from './acts/submission-acts.repository.js';
import { SubmissionBatchesRepository } from './storage/received.js';
import { SubmissionIds } from './rows/submission-ids.js';
import { SubmissionWriter } from './storage/submission-writer.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsRepository } from './rows/submissions.repository.js';
import { Trash } from './trash/trash.service.js';
import { TrashRepository } from './trash/trash.repository.js';
import { VerdictsController } from './verdicts/verdicts.controller.js';
import { VerdictsRepository } from './verdicts/verdicts.repository.js';

/** Submissions: stored, shown, moved and erased. */
@Room({
  controllers: [
    SubmissionsController,
    EditsController,
    SubmissionDeliveriesController,
    DeliveriesController,
    VerdictsController,
    ConfirmationsController,
    RepeatsController,
  ],
  providers: [
    Confirmations,
    EditsService,
    ErasureService,
    FileQuota,
    Idempotency,
    IdempotencyKeysRepository,
    ImportedSubmissions,
    LateScans,
    Leftovers,
    LeftoversRepository,
    NewSubmissions,
    Probes,
    RepeatsRepository,
    RepeatsService,
    SubmissionActs,
    SubmissionActsRepository,
    SubmissionBatchesRepository,
    SubmissionIds,
    SubmissionIntake,
    SubmissionPurger,
    SubmissionsRepository,
    SubmissionsService,
    SubmissionWriter,
    Trash,
    TrashRepository,
    VerdictsRepository,
    VerdictsService,
  ],
})
export class SubmissionsModule {}
