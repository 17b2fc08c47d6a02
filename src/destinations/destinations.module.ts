export { DestinationCaller, DestinationChannel } from './destination-channel.js';
export { DestinationPlanner } from './destination-planner.js';
export { DestinationOpener } from './destination-opener.js';
export { DestinationsService } from './destinations.service.js';
export {
  DestinationPreviews,
  DestinationSamples,
  DestinationTrials,
} from './destination-trials.js';
export { DestinationsController, FormDestinationsController } from './destinations.controller.js';
export { DestinationsRepository } from './destinations.repository.js';
export { DestinationMails } from './destination-mails.js';
export { DigestMails } from './destination-mails.js';
export { WebhooksController } from './destinations.controller.js';
export { WebhookService } from './webhook.service.js';
export { TestMailsController } from './destinations.controller.js';
export { TestMailsService } from './destination-trials.js';
export { DeliveryChecks } from './delivery.checks.js';
