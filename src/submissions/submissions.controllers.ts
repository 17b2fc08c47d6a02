import { ExportsController } from './export/exports.controller.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionDeliveriesController } from './deliveries/submission-deliveries.controller.js';
import { DeliveriesController } from './deliveries/form-deliveries.controller.js';
import { TriageController } from './triage/triage.controller.js';
import { SearchController } from './search/search.controller.js';
import { BulkController } from './triage/bulk.controller.js';
import { JobsController } from './jobs/jobs.controller.js';
import { ExportJobsController } from './jobs/export-jobs.controller.js';
import { ExportLinksController } from './jobs/export-links.controller.js';
import { RejudgeController } from './jobs/rejudge.controller.js';
import { TagsController } from './triage/tags.controller.js';
import { AssigneesController } from './assignees/assignees.controller.js';
import { NotesController } from './notes/notes.controller.js';
import { PresenceController } from './presence/presence.controller.js';
import { ViewersController } from './presence/viewers.controller.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { OriginsController } from './origins/origins.controller.js';
import { VisitorsController } from './visitors/visitors.controller.js';
import { VerdictsController } from './verdicts/verdicts.controller.js';
import { SpamStatisticsController } from './verdicts/spam-statistics.controller.js';

/** What programs can ask of submissions. */
export const SUBMISSION_CONTROLLERS = [
  ExportsController,
  SubmissionsController,
  SubmissionDeliveriesController,
  DeliveriesController,
  TriageController,
  SearchController,
  BulkController,
  JobsController,
  ExportJobsController,
  ExportLinksController,
  RejudgeController,
  TagsController,
  AssigneesController,
  NotesController,
  ViewersController,
  PresenceController,
  TimelineController,
  OriginsController,
  VisitorsController,
  VerdictsController,
  SpamStatisticsController,
] as const;
