export { ReportMails } from './report-mails.service.js';
export { ReportMailController, ReportsController, WeeklyMailController } from './reports.controller.js';
export { ReportsService } from './reports.service.js';
export { FleetChanges } from './fleet/fleet-changes.service.js';
export { FleetController } from './fleet/fleet.controller.js';
export { FleetService } from './fleet/fleet.service.js';
