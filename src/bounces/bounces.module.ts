import { Room } from '../platform/room.js';
import { BounceMailbox, BouncesService, FailingRecipients } from './bounces.service.js';
import { BouncesController, FailingRecipientsController } from './bounces.controller.js';
import { FailingRecipientsRepository } from './failing-recipients.repository.js';

@Room({
  controllers: [BouncesController, FailingRecipientsController],
  providers: [BounceMailbox, BouncesService, FailingRecipients, FailingRecipientsRepository],
})
export class BouncesModule {}
