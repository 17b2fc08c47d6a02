import { APP_FILTER } from '@nestjs/core';
import { PageFilter } from './pages.js';

export {
  ConfirmController,
  EndMailsController,
  OptInController,
  PagesController,
} from './links.controller.js';
export { FormTokenController, ChallengeController } from './challenge.controller.js';
export { Pages } from './pages.js';
export { ThankYouPageController } from './thank-you-page.controller.js';

export const filter = { provide: APP_FILTER, useClass: PageFilter };
