export { SavedViewsController, ViewDigestsController } from './saved-views.controller.js';
export { SavedViewsRepository } from './saved-views.repository.js';
export { SavedViewsService, ViewDigestMails, ViewDigestsService } from './saved-views.service.js';
