export { ReportPost, ReportMailWorker, ReportMails } from './report-mails.service.js';
export {
  ReportMailController,
  ReportsController,
  WeeklyMailController,
} from './reports.controller.js';
export { ReportRecipientsRepository } from './report-recipients.repository.js';
export { ReportsService } from './reports.service.js';
