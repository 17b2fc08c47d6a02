import { Room } from '../platform/room.js';
import { AssigneesController } from './assignees/assignees.controller.js';
import { AssigneesService } from './assignees/assignees.service.js';
import { MarkedSubmissions, TriageService } from './marks/triage.service.js';
import { MarksRepository } from './marks/marks.repository.js';
import { NotesController } from './notes/notes.controller.js';
import { NotesRepository } from './notes/notes.repository.js';
import { NotesService } from './notes/notes.service.js';
import { PresenceController, ViewersController } from './presence/presence.controller.js';
import { PresenceService } from './presence/presence.service.js';
import { PresencesRepository } from './presence/presences.repository.js';
import { ReadStateRepository, UnreadCountsRepository } from './read-state/read-state.repository.js';
import { TagsController, TriageController } from './marks/triage.controller.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { TimelineService } from './timeline/timeline.service.js';
import { UnreadCounts } from './read-state/unread-counts.service.js';
import { WorkCounts } from './marks/work-counts.service.js';

/** Lets people work on submissions: marks, tags, assignees, notes, read states and presence. */
@Room({
  controllers: [
    TriageController,
    TagsController,
    AssigneesController,
    NotesController,
    ViewersController,
    PresenceController,
    TimelineController,
  ],
  providers: [
    AssigneesService,
    MarkedSubmissions,
    MarksRepository,
    NotesRepository,
    NotesService,
    PresenceService,
    PresencesRepository,
    ReadStateRepository,
    TimelineService,
    TriageService,
    UnreadCounts,
    UnreadCountsRepository,
    WorkCounts,
  ],
})
export class TriageModule {}
