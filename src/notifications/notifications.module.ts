import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { RecipientsService } from './recipients.service.js';
import { NotificationPlanner } from './notification-planner.js';
import { RecipientConfirmation } from './recipient-confirmation.entity.js';
import { RecipientsController } from './recipients.controller.js';
import { RecipientsRepository } from './recipients.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RecipientConfirmation]),
    AccountsModule,
    BrandsModule,
    DeliveriesModule,
    FormsModule,
  ],
  controllers: [RecipientsController],
  providers: [NotificationPlanner, RecipientsRepository, RecipientsService],
  exports: [NotificationPlanner, RecipientsService],
})
export class NotificationsModule {}
