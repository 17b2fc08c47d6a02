import { Module } from '@nestjs/common';
import { AliasesModule } from '../aliases/aliases.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { MailModule } from '../mail/mail.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { CanariesRepository } from './canaries.repository.js';
import { CanaryController } from './canary.controller.js';
import { CanaryService, CanaryWorker } from './canary.service.js';
import { PageChecks } from './page/page-checks.service.js';
import { ProbeChannel, ProbeRuns } from './probe/probe-runs.service.js';

/** Proves that forms reach the service, and that what arrives goes on. */
@Module({
  imports: [
    AliasesModule,
    DeliveriesModule,
    FormsModule,
    HostsModule,
    MailModule,
    SubmissionsModule,
    WatchModule,
  ],
  controllers: [CanaryController],
  providers: [CanariesRepository, CanaryService, CanaryWorker, PageChecks, ProbeChannel, ProbeRuns],
  exports: [CanaryService],
})
export class CanaryModule {}
