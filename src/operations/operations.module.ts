import { Module } from '@nestjs/common';
import { PeopleModule } from '../people/people.module.js';
import { OperatorAlarms } from './alarms/operator-alarms.js';
import { OperatorAlarmsRepository } from './alarms/operator-alarms.repository.js';
import { FilesModule } from '../files/files.module.js';
import { MailModule } from '../mail/mail.module.js';
import { BackupService, RestoreService } from './backup/backup.service.js';
import { ScheduledBackups } from './backup/scheduled-backups.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { HealthController } from './health/health.controller.js';
import { HealthService } from './health/health.service.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { Heartbeat } from './heartbeat/heartbeat.js';
import { BouncesModule } from '../bounces/bounces.module.js';
import { CanaryModule } from '../canary/canary.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { CanaryMetrics, WatchMetrics, Metrics } from './metrics/metrics.js';
import { MetricsServer } from './metrics/metrics-server.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { WatchModule } from '../watch/watch.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SpamModule } from '../spam/spam.module.js';
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
import { SearchModule } from '../search/search.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';

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
@Module({
  imports: [
    AccountsModule,
    BouncesModule,
    CanaryModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    HostsModule,
    IntakeModule,
    MailModule,
    PeopleModule,
    SearchModule,
    SpamModule,
    StatisticsModule,
    SubmissionsModule,
    WatchModule,
  ],
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
  exports: [DoctorService, InstanceService],
})
export class OperationsModule {}
