import { Module } from '@nestjs/common';
import { CanaryModule } from '../canary/canary.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { AlarmsService, LastSubmissions } from './alarms.service.js';
import { FormAlarmsRepository } from './form-alarms.repository.js';

/** Tells owners what is unusual about their forms. */
@Module({
  imports: [
    CanaryModule,
    DeliveriesModule,
    FormsModule,
    MailModule,
    NotificationsModule,
    SubmissionsModule,
    WarningsModule,
    WatchModule,
  ],
  providers: [AlarmsService, FormAlarmsRepository, LastSubmissions],
})
export class AlarmsModule {}
