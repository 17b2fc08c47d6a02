import { APP_FILTER } from '@nestjs/core';
import { PageFilter } from './pages.js';

export { ConfirmController, EndMailsController, OptInController, PagesController } from './visitor-pages.controller.js';
export { FormTokenController, ChallengeController } from './visitor-pages.controller.js';
export { Pages } from './pages.js';
export { SnippetsController } from './snippets.controller.js';
export { ScriptsController, ThankYouPageController, VisitsController } from './visitor-pages.controller.js';

export const filter = { provide: APP_FILTER, useClass: PageFilter };
