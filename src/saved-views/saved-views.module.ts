import { Room } from '../platform/room.js';
import { SavedViewsController, ViewDigestsController } from './saved-views.controller.js';
import { SavedViewsRepository, ViewDigestsRepository } from './saved-views.repository.js';
import { SavedViewsService, ViewDigestWorker, ViewDigestsService } from './saved-views.service.js';

@Room({
  controllers: [SavedViewsController, ViewDigestsController],
  providers: [
    SavedViewsRepository,
    SavedViewsService,
    ViewDigestsRepository,
    ViewDigestsService,
    ViewDigestWorker,
  ],
})
export class SavedViewsModule {}
