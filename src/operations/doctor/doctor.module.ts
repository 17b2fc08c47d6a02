import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FilesModule } from '../../files/files.module.js';
import { FormsModule } from '../../forms/forms.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { OidcModule } from '../../platform/oidc/oidc.module.js';
import { SpamModule } from '../../spam/spam.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { CanaryModule } from '../../canary/canary.module.js';
import { AddressCheck, CertificateCheck, OidcCheck } from './address.checks.js';
import { BackupCheck, DiskCheck, SecretsCheck, VirusScanCheck } from './storage.checks.js';
import {
  CanariesCheck,
  CountsCheck,
  DeliveriesCheck,
  SpamFiltersCheck,
  SubmissionsCheck,
} from './work.checks.js';
import { ClockCheck, DurabilityCheck, PacketCheck } from './database.checks.js';
import type { Check } from './check.js';
import { DoctorService } from './doctor.service.js';
import { InstancesCheck } from './instances.check.js';
import { RunningInstance } from './running-instance.entity.js';
import { RunningInstancesRepository } from './running-instances.repository.js';
import { InstanceController } from './instance.controller.js';
import { InstanceService } from './instance.service.js';
import { MailFlowCheck, MailCheck } from './mail.checks.js';
import { SenderDns } from './sender-dns/sender-dns.js';
import { WatchModule } from '../../watch/watch.module.js';
import { SearchModule } from '../../search/search.module.js';
import { StatisticsModule } from '../../statistics/statistics.module.js';

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

@Module({
  imports: [
    TypeOrmModule.forFeature([RunningInstance]),
    AccountsModule,
    BackupModule,
    CanaryModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    MailModule,
    OidcModule,
    PeopleModule,
    SecretsModule,
    SpamModule,
    SearchModule,
    StatisticsModule,
    WatchModule,
  ],
  controllers: [InstanceController],
  providers: [
    ...CHECKS,
    RunningInstancesRepository,
    SenderDns,
    InstanceService,
    {
      provide: DoctorService,
      inject: [SenderDns, ...CHECKS],
      useFactory: (dns: SenderDns, ...checks: Check[]) => new DoctorService(checks, dns),
    },
  ],
  exports: [DoctorService, InstanceService],
})
export class DoctorModule {}
