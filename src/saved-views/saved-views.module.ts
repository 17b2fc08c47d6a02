export { SavedViewsController, ViewDigestsController } from './saved-views.controller.js';
export { SavedViewsRepository, ViewDigestsRepository } from './saved-views.repository.js';
export { SavedViewsService, ViewDigestWorker, ViewDigestsService } from './saved-views.service.js';
