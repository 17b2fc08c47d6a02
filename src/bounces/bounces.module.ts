import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { BounceMailbox, BouncesService, FailingRecipients } from './bounces.service.js';
import { BouncesController, FailingRecipientsController } from './bounces.controller.js';
import { FailingRecipientsRepository } from './failing-recipients.repository.js';

@Module({
  imports: [AccountsModule, DeliveriesModule, FormsModule],
  controllers: [BouncesController, FailingRecipientsController],
  providers: [BounceMailbox, BouncesService, FailingRecipients, FailingRecipientsRepository],
  exports: [BouncesService, FailingRecipients],
})
export class BouncesModule {}
