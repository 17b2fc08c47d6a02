import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { RecipientsService } from './recipients.service.js';
import { NotificationPlanner } from './notification-planner.js';
import { RecipientsController } from './recipients.controller.js';
import { RecipientsRepository } from './recipients.repository.js';

@Module({
  imports: [AccountsModule, BrandsModule, DeliveriesModule, FormsModule],
  controllers: [RecipientsController],
  providers: [NotificationPlanner, RecipientsRepository, RecipientsService],
  exports: [NotificationPlanner, RecipientsService],
})
export class NotificationsModule {}
