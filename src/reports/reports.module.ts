import { Module } from '@nestjs/common';
import { BouncesModule } from '../bounces/bounces.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { TriageModule } from '../triage/triage.module.js';
import { ReportPost, ReportMailWorker, ReportMails } from './report-mails.service.js';
import {
  ReportMailController,
  ReportsController,
  WeeklyMailController,
} from './reports.controller.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { ReportsService } from './reports.service.js';

/** Reports to clients what their forms received. */
@Module({
  imports: [
    BouncesModule,
    ClientsModule,
    DeliveriesModule,
    FormsModule,
    MailModule,
    NotificationsModule,
    StatisticsModule,
    TriageModule,
    WarningsModule,
  ],
  controllers: [ReportsController, ReportMailController, WeeklyMailController],
  providers: [
    ReportMails,
    ReportMailWorker,
    ReportPost,
    ReportRecipientsRepository,
    ReportsService,
  ],
  exports: [ReportMails, ReportsService],
})
export class ReportsModule {}
