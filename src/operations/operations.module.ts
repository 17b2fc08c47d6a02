import { Room } from '../platform/room.js';
import { OperatorAlarms } from './alarms/operator-alarms.js';
import { OperatorAlarmsRepository } from './alarms/operator-alarms.repository.js';
import { BackupService, RestoreService } from './backup/backup.service.js';
import { ScheduledBackups } from './backup/scheduled-backups.js';
import { HealthController } from './health/health.controller.js';
import { HealthService } from './health/health.service.js';
import { Heartbeat } from './heartbeat/heartbeat.js';
import { CanaryMetrics, WatchMetrics, Metrics } from './metrics/metrics.js';
import { MetricsServer } from './metrics/metrics-server.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { AddressCheck, CertificateCheck, OidcCheck } from './doctor/address.checks.js';
import { BackupCheck, DiskCheck, SecretsCheck, VirusScanCheck } from './doctor/storage.checks.js';
import { InstanceService } from './doctor/instance.service.js';
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
import { DoctorService } from './doctor/doctor.service.js';
import { RunningInstancesRepository } from './doctor/running-instances.repository.js';
import { InstanceController } from './doctor/instance.controller.js';
import { SenderDns } from './doctor/sender-dns/sender-dns.js';

/** All checks, in the order in which they run. */
const CHECKS = [
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

/** Provides what an operator touches: checks, alarms, backups, health, metrics. */
@Room({
  controllers: [HealthController, InstanceController, MetricsController],
  providers: [
    ...CHECKS,
    BackupService,
    CanaryMetrics,
    HealthService,
    Heartbeat,
    InstanceService,
    Metrics,
    MetricsServer,
    OperatorAlarms,
    OperatorAlarmsRepository,
    RestoreService,
    RunningInstancesRepository,
    ScheduledBackups,
    SenderDns,
    WatchMetrics,
    {
      provide: DoctorService,
      inject: [SenderDns, ...CHECKS],
      useFactory: (dns: SenderDns, ...checks: Check[]) => new DoctorService(checks, dns),
    },
  ],
})
export class OperationsModule {}
