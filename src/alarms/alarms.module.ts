export { AlarmMails, AlarmsService, LastSubmissions } from './alarms.service.js';
export { FormAlarmsRepository } from './form-alarms.repository.js';
