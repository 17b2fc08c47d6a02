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
import { AddressCheck } from './address.check.js';
import { BackupCheck } from './backup.check.js';
import { CanariesCheck } from './canaries.check.js';
import { CertificateCheck } from './certificate.check.js';
import { ClockCheck } from './clock.check.js';
import { CountsCheck } from './counts.check.js';
import { DeliveriesCheck } from './deliveries.check.js';
import { DiskCheck } from './disk.check.js';
import { DoctorService } from './doctor.service.js';
import { DurabilityCheck } from './durability.check.js';
import { InstancesCheck } from './instances.check.js';
import { InstanceController } from './instance.controller.js';
import { InstanceService } from './instance.service.js';
import { MailFlowCheck } from './mail-flow.check.js';
import { MailCheck } from './mail.check.js';
import { OidcCheck } from './oidc.check.js';
import { PacketCheck } from './packet.check.js';
import { RunningInstance } from './running-instance.entity.js';
import { RunningInstancesRepository } from './running-instances.repository.js';
import { SecretsCheck } from './secrets.check.js';
import { SenderDns } from './sender-dns/sender-dns.js';
import { SpamFiltersCheck } from './spam-filters.check.js';
import { SubmissionsCheck } from './submissions.check.js';
import { VirusScanCheck } from './virus-scan.check.js';
import { WatchModule } from '../../watch/watch.module.js';
import { SearchModule } from '../../search/search.module.js';
import { StatisticsModule } from '../../statistics/statistics.module.js';

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
    AddressCheck,
    BackupCheck,
    CanariesCheck,
    CertificateCheck,
    ClockCheck,
    CountsCheck,
    DeliveriesCheck,
    DiskCheck,
    DurabilityCheck,
    InstancesCheck,
    MailFlowCheck,
    MailCheck,
    OidcCheck,
    PacketCheck,
    RunningInstancesRepository,
    SecretsCheck,
    SenderDns,
    SpamFiltersCheck,
    SubmissionsCheck,
    VirusScanCheck,
    DoctorService,
    InstanceService,
  ],
  exports: [DoctorService, InstanceService],
})
export class DoctorModule {}
