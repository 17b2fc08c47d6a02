import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AliasesModule } from './aliases/aliases.module.js';
import { MovesModule } from './moves/moves.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BouncesModule } from './bounces/bounces.module.js';
import { ClientsModule } from './clients/clients.module.js';
import type { Config } from './platform/config/config.js';
import { ConfigModule } from './platform/config/config.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { HostsModule } from './hosts/hosts.module.js';
import { FleetModule } from './fleet/fleet.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { FormsModule } from './forms/forms.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { BrandsModule } from './brands/brands.module.js';
import { MailModule } from './mail/mail.module.js';
import { PagesModule } from './visitor-pages/pages.module.js';
import { PeopleModule } from './people/people.module.js';
import { SavedViewsModule } from './saved-views/saved-views.module.js';
import { EventsModule } from './events/events.module.js';
import { SubmissionsModule } from './submissions/submissions.module.js';
import { AlarmsModule } from './alarms/alarms.module.js';
import { CanaryModule } from './canary/canary.module.js';
import { WarningsModule } from './warnings/warnings.module.js';
import { WatchModule } from './watch/watch.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { FilesModule } from './files/files.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SpamModule } from './spam/spam.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { WebModule } from './web/web.module.js';
import { StartBanner } from './start-banner.js';
import { TriageModule } from './triage/triage.module.js';
import { StatisticsModule } from './statistics/statistics.module.js';
import { SearchModule } from './search/search.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ImportsModule } from './imports/imports.module.js';

@Module({
  imports: [
    DatabaseModule,
    PlatformModule,
    AuthModule,
    AliasesModule,
    AuditModule,
    ProjectionsModule,
    MovesModule,
    PeopleModule,
    AccountsModule,
    FormsModule,
    ClientsModule,
    BrandsModule,
    SubmissionsModule,
    TriageModule,
    StatisticsModule,
    SearchModule,
    ExportsModule,
    JobsModule,
    ImportsModule,
    SavedViewsModule,
    PagesModule,
    IntakeModule,
    BouncesModule,
    MailModule,
    DestinationsModule,
    WarningsModule,
    AlarmsModule,
    WatchModule,
    CanaryModule,
    HostsModule,
    FleetModule,
    ReportsModule,
    EventsModule,
    OperationsModule,
    DeliveriesModule,
    FilesModule,
    SessionsModule,
    SpamModule,
    TokensModule,
    WebModule,
  ],
  providers: [StartBanner],
})
export class AppModule {
  /** Returns the whole service under the given settings, and what stands beside it. */
  static with(config: Config, beside: Type[] = []): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.with(config), ...beside] };
  }
}
