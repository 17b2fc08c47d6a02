export {
  ConfirmController,
  DigestController,
  EndReportsController,
  OptInController,
  PagesController,
} from './links.controller.js';
export { FormTokenController, ChallengeController } from './challenge.controller.js';
export { Pages } from './pages.js';
export { ThankYouPageController } from './thank-you-page.controller.js';
