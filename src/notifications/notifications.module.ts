import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FormOwners } from './form-owners.js';
import { NotificationPlanner } from './notification-planner.js';

@Module({
  imports: [AccountsModule],
  providers: [FormOwners, NotificationPlanner],
  exports: [FormOwners, NotificationPlanner],
})
export class NotificationsModule {}
