import { Room } from '../platform/room.js';
import { ReportPost, ReportMailWorker, ReportMails } from './report-mails.service.js';
import {
  ReportMailController,
  ReportsController,
  WeeklyMailController,
} from './reports.controller.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { ReportsService } from './reports.service.js';

/** Reports to clients what their forms received. */
@Room({
  controllers: [ReportsController, ReportMailController, WeeklyMailController],
  providers: [
    ReportMails,
    ReportMailWorker,
    ReportPost,
    ReportRecipientsRepository,
    ReportsService,
  ],
})
export class ReportsModule {}
