export { ReportMails } from './report-mails.service.js';
export {
  ReportMailController,
  ReportsController,
  WeeklyMailController,
} from './reports.controller.js';
export { ReportsService } from './reports.service.js';
