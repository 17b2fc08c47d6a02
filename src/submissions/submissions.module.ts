import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SpamListsModule } from '../spam/lists/spam-lists.module.js';
import { SpamLearningModule } from '../spam/learning/spam-learning.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
import { ExamplesService } from './examples.service.js';
import { ErasureService } from './erasure.service.js';
import { DownloadsUnderWay } from './export/downloads-under-way.js';
import { ExportReader } from './export/export-reader.js';
import { ExportRowsRepository } from './export/export-rows.repository.js';
import { ExportService } from './export/export.service.js';
import { ExportStore } from './export/export-store.js';
import { Leftovers } from './leftovers.js';
import { LeftoversRepository } from './leftovers.repository.js';
import { FilterLines } from './search/filter-lines.service.js';
import { SEARCH_PROVIDERS } from './search/search.providers.js';
import { WideWalk } from './search/wide-walk.js';
import { NotesRepository } from './notes/notes.repository.js';
import { NotesService } from './notes/notes.service.js';
import { SubmissionNote } from './notes/submission-note.entity.js';
import { Presence } from './presence/presence.entity.js';
import { PresenceService } from './presence/presence.service.js';
import { PresencesRepository } from './presence/presences.repository.js';
import { SubmissionAct } from './timeline/submission-act.entity.js';
import { SubmissionActs } from './timeline/submission-acts.service.js';
import { SubmissionActsRepository } from './timeline/submission-acts.repository.js';
import { TimelineService } from './timeline/timeline.service.js';
import { StatisticsModule } from './statistics/statistics.module.js';
import { BulkJob } from './jobs/bulk-job.entity.js';
import { BulkJobsRepository } from './jobs/bulk-jobs.repository.js';
import { BulkJobsService } from './jobs/bulk-jobs.service.js';
import { BulkJobWorker } from './jobs/bulk-job-worker.js';
import { ExportFiles } from './jobs/export-files.js';
import { ExportJobWorker } from './jobs/export-job-worker.js';
import { ExportJobsService } from './jobs/export-jobs.service.js';
import { RejudgeService } from './jobs/rejudge.service.js';
import { BulkService } from './triage/bulk.service.js';
import { MarkedSubmissions } from './triage/marked-submissions.js';
import { TagsService } from './triage/tags.service.js';
import { AssigneesService } from './assignees/assignees.service.js';
import { Colleagues } from './assignees/colleagues.js';
import { MarksRepository } from './triage/marks.repository.js';
import { ReadException } from './triage/read-exception.entity.js';
import { ReadPosition } from './triage/read-position.entity.js';
import { ReadStateRepository } from './triage/read-state.repository.js';
import { SubmissionMark } from './triage/submission-mark.entity.js';
import { TriageService } from './triage/triage.service.js';
import { UnreadCountsRepository } from './triage/unread-counts.repository.js';
import { UnreadCounts } from './triage/unread-counts.service.js';
import { OriginsService } from './origins/origins.service.js';
import { Idempotency } from './storage/idempotency.js';
import { IdempotencyKey } from './storage/idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './storage/idempotency-keys.repository.js';
import { FileQuota } from './storage/file-quota.js';
import { SubmissionIntake } from './storage/submission-intake.service.js';
import { FormCounts } from './form-counts.service.js';
import { InboxRepository } from './inbox.repository.js';
import { ImagesService } from './images.service.js';
import { InboxService } from './inbox.service.js';
import { SubmissionBatch } from './storage/submission-batch.entity.js';
import { SUBMISSION_CONTROLLERS } from './submissions.controllers.js';
import { SubmissionPurger } from './submission-purger.js';
import { SubmissionIds } from './submission-ids.js';
import { SubmissionValue } from './values/submission-value.entity.js';
import { SubmissionWriter } from './storage/submission-writer.js';
import { Submission } from './submission.entity.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { SubmissionsService } from './submissions.service.js';
import { ValueIndex } from './values/value-index.js';
import { ValueIndexRepository } from './values/value-index.repository.js';
import { SpamStatisticsService } from './verdicts/spam-statistics.service.js';
import { SubmissionVerdict } from './verdicts/submission-verdict.entity.js';
import { Rejudging } from './verdicts/rejudging.service.js';
import { VerdictsRepository } from './verdicts/verdicts.repository.js';
import { VerdictsService } from './verdicts/verdicts.service.js';
import { VisitorsService } from './visitors/visitors.service.js';
import { SubmissionText } from './texts/submission-text.entity.js';
import { SubmissionTextsRepository } from './texts/submission-texts.repository.js';
import { BlockBuilder } from './texts/block-builder.js';
import { TextBlock } from './texts/text-block.entity.js';
import { BlockSearch } from './texts/block-search.js';
import { TextBlocksRepository } from './texts/text-blocks.repository.js';
import { TextPostings } from './texts/text-postings.entity.js';
import { TextMover } from './texts/text-mover.js';
import { TextProgress } from './texts/text-progress.entity.js';
import { TextMatchesRepository } from './texts/text-matches.repository.js';
import { TextScan } from './texts/text-scan.js';
import { TextSearch } from './texts/text-search.js';
import { PreviewLearner } from './values/preview-learner.js';
import { ValueIndexer } from './values/value-indexer.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { MakerRights } from './jobs/maker-rights.js';

@Module({
  imports: [
    AuditModule,
    ProjectionsModule,
    TypeOrmModule.forFeature([
      BulkJob,
      IdempotencyKey,
      Presence,
      ReadException,
      ReadPosition,
      Submission,
      SubmissionAct,
      SubmissionBatch,
      SubmissionMark,
      SubmissionNote,
      SubmissionText,
      SubmissionValue,
      SubmissionVerdict,
      TextBlock,
      TextProgress,
      TextPostings,
    ]),
    FormsModule,
    FilesModule,
    NotificationsModule,
    DeliveriesModule,
    SpamModule,
    SpamLearningModule,
    SpamListsModule,
    SignedLinksModule,
    RateLimitsModule,
    StatisticsModule,
  ],
  controllers: [...SUBMISSION_CONTROLLERS],
  providers: [
    Idempotency,
    IdempotencyKeysRepository,
    SubmissionIntake,
    FormCounts,
    InboxRepository,
    InboxService,
    SubmissionsRepository,
    SubmissionIds,
    TextSearch,
    TextScan,
    TextMatchesRepository,
    BlockSearch,
    TextMover,
    SubmissionTextsRepository,
    TextBlocksRepository,
    BlockBuilder,
    ...SEARCH_PROVIDERS,
    SubmissionsService,
    ExamplesService,
    ImagesService,
    ErasureService,
    Leftovers,
    LeftoversRepository,
    FileQuota,
    SubmissionWriter,
    SubmissionPurger,
    ValueIndex,
    ValueIndexRepository,
    ValueIndexer,
    PreviewLearner,
    ExportService,
    ExportFiles,
    ExportJobWorker,
    ExportJobsService,
    MakerRights,
    ExportStore,
    DownloadsUnderWay,
    ExportReader,
    ExportRowsRepository,
    MarkedSubmissions,
    MarksRepository,
    ReadStateRepository,
    TriageService,
    UnreadCountsRepository,
    UnreadCounts,
    Colleagues,
    AssigneesService,
    TagsService,
    BulkService,
    BulkJobsRepository,
    BulkJobsService,
    BulkJobWorker,
    NotesRepository,
    OriginsService,
    NotesService,
    PresencesRepository,
    PresenceService,
    SubmissionActsRepository,
    SubmissionActs,
    TimelineService,
    VisitorsService,
    VerdictsRepository,
    Rejudging,
    RejudgeService,
    VerdictsService,
    SpamStatisticsService,
  ],
  exports: [
    AssigneesService,
    Colleagues,
    ExportFiles,
    ExportJobWorker,
    ExportJobsService,
    MakerRights,
    ExportService,
    ExamplesService,
    FilterLines,
    Idempotency,
    ImagesService,
    InboxService,
    MarkedSubmissions,
    PresenceService,
    TimelineService,
    SubmissionIntake,
    SubmissionsService,
    ErasureService,
    Leftovers,
    FileQuota,
    FormCounts,
    SubmissionWriter,
    SubmissionPurger,
    BulkService,
    BulkJobsService,
    BulkJobWorker,
    NotesService,
    OriginsService,
    SpamStatisticsService,
    StatisticsModule,
    BlockBuilder,
    TagsService,
    TextMover,
    TriageService,
    UnreadCounts,
    ValueIndexer,
    PreviewLearner,
    RejudgeService,
    VerdictsService,
    VisitorsService,
    WideWalk,
  ],
})
export class SubmissionsModule {}
