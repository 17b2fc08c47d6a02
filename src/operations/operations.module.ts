import { AddressCheck, CertificateCheck, OidcCheck } from './doctor/address.checks.js';
import { BackupCheck, DiskCheck, SecretsCheck, VirusScanCheck } from './doctor/storage.checks.js';
import {
  CanariesCheck,
  CountsCheck,
  DeliveriesCheck,
  SpamFiltersCheck,
  SubmissionsCheck,
  MailFlowCheck,
  MailCheck,
} from './doctor/work.checks.js';
import {
  ClockCheck,
  DurabilityCheck,
  PacketCheck,
  InstancesCheck,
} from './doctor/database.checks.js';
import type { Check } from './doctor/check.js';
import { SenderDns } from './doctor/sender-dns/sender-dns.js';
import { DoctorService } from './doctor/doctor.service.js';

export { OperatorAlarms } from './alarms/operator-alarms.js';
export { OperatorAlarmsRepository } from './alarms/operator-alarms.repository.js';
export { BackupService, RestoreService } from './backup/backup.service.js';
export { ScheduledBackups } from './backup/scheduled-backups.js';
export { HealthController } from './health/health.controller.js';
export { HealthService } from './health/health.service.js';
export { Heartbeat } from './heartbeat/heartbeat.js';
export { CanaryMetrics, WatchMetrics, Metrics } from './metrics/metrics.js';
export { MetricsServer } from './metrics/metrics-server.js';
export { MetricsController } from './metrics/metrics.controller.js';
export { InstanceService } from './doctor/instance.service.js';
export { RunningInstancesRepository } from './doctor/running-instances.repository.js';
export { InstanceController } from './doctor/instance.controller.js';
export { SenderDns } from './doctor/sender-dns/sender-dns.js';

/** All checks, in the order in which they run. */
export const CHECKS = [
  DurabilityCheck,
  PacketCheck,
  ClockCheck,
  DiskCheck,
  InstancesCheck,
  AddressCheck,
  CertificateCheck,
  CountsCheck,
  DeliveriesCheck,
  SubmissionsCheck,
  CanariesCheck,
  MailFlowCheck,
  MailCheck,
  OidcCheck,
  SpamFiltersCheck,
  SecretsCheck,
  VirusScanCheck,
  BackupCheck,
];

export const doctor = {
  provide: DoctorService,
  inject: [SenderDns, ...CHECKS],
  useFactory: (dns: SenderDns, ...checks: Check[]) => new DoctorService(checks, dns),
};
