export { AlarmMails, AlarmsService, LastSubmissions } from './alarms.service.js';
export { AccountChecks } from './checks/account.checks.js';
export { RecipientChecks } from './checks/recipient.checks.js';
export { SpamChecks } from './checks/spam.checks.js';
export { WatchChecks } from './checks/watch.checks.js';
export { FindingsRepository } from './findings.repository.js';
export { HealthService } from './health.service.js';
export { WarningsController } from './warnings.controller.js';
