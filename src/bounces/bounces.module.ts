export { BounceMailbox, BouncesService, FailingRecipients } from './bounces.service.js';
export { BouncesController, FailingRecipientsController } from './bounces.controller.js';
export { FailingRecipientsRepository } from './failing-recipients.repository.js';
