import { Module, type DynamicModule, type Type } from '@nestjs/common';
import * as accounts from './accounts/accounts.module.js';
import * as aliases from './aliases/aliases.module.js';
import * as moves from './moves/moves.module.js';
import * as projections from './projections/projections.module.js';
import * as audit from './audit/audit.module.js';
import * as auth from './auth/auth.module.js';
import * as bounces from './bounces/bounces.module.js';
import { ClientsModule } from './clients/clients.module.js';
import type { Config } from './platform/config/config.js';
import { ConfigModule } from './platform/config/config.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import * as platform from './platform/platform.module.js';
import * as operations from './operations/operations.module.js';
import * as hosts from './hosts/hosts.module.js';
import * as fleet from './fleet/fleet.module.js';
import * as reports from './reports/reports.module.js';
import { room } from './platform/room.js';
import { FormsModule } from './forms/forms.module.js';
import * as intake from './intake/intake.module.js';
import * as brands from './brands/brands.module.js';
import * as mail from './mail/mail.module.js';
import * as pages from './visitor-pages/pages.module.js';
import * as people from './people/people.module.js';
import * as savedViews from './saved-views/saved-views.module.js';
import * as events from './events/events.module.js';
import * as submissions from './submissions/submissions.module.js';
import * as canary from './canary/canary.module.js';
import * as docs from './docs/docs.module.js';
import * as health from './health/health.module.js';
import * as watch from './watch/watch.module.js';
import * as destinations from './destinations/destinations.module.js';
import * as deliveries from './deliveries/deliveries.module.js';
import * as files from './files/files.module.js';
import * as sessions from './sessions/sessions.module.js';
import * as spam from './spam/spam.module.js';
import * as tokens from './tokens/tokens.module.js';
import * as web from './web/web.module.js';
import { StartBanner } from './start-banner.js';
import * as triage from './triage/triage.module.js';
import * as statistics from './statistics/statistics.module.js';
import * as search from './search/search.module.js';
import * as exporting from './exports/exports.module.js';
import * as jobs from './jobs/jobs.module.js';
import * as importing from './imports/imports.module.js';

/** All rooms: what comes first gets a request first. */
const ROOMS = [
  platform,
  auth,
  aliases,
  audit,
  projections,
  moves,
  people,
  accounts,
  FormsModule,
  ClientsModule,
  brands,
  submissions,
  triage,
  statistics,
  search,
  exporting,
  jobs,
  importing,
  savedViews,
  pages,
  intake,
  bounces,
  mail,
  destinations,
  health,
  watch,
  canary,
  hosts,
  fleet,
  reports,
  events,
  operations,
  deliveries,
  files,
  sessions,
  spam,
  tokens,
  docs,
  web,
];

@Module({
  imports: [
    DatabaseModule,
    ...ROOMS.map((each) => (typeof each === 'function' ? each : room(each))),
  ],
  providers: [StartBanner],
})
export class AppModule {
  /** Returns the whole service under the given settings, and what stands beside it. */
  static with(config: Config, beside: Type[] = []): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.with(config), ...beside] };
  }
}
