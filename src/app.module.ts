import { Module, type DynamicModule, type Type } from '@nestjs/common';
import * as accounts from './accounts/accounts.module.js';
import * as docs from './docs/docs.module.js';
import { ClientsModule } from './clients/clients.module.js';
import * as deliveries from './deliveries/deliveries.module.js';
import * as destinations from './destinations/destinations.module.js';
import { FormsModule } from './forms/forms.module.js';
import * as health from './health/health.module.js';
import * as intake from './intake/intake.module.js';
import * as jobs from './jobs/jobs.module.js';
import * as mail from './mail/mail.module.js';
import * as mcp from './mcp/mcp.module.js';
import * as moving from './moving/moving.module.js';
import * as operations from './operations/operations.module.js';
import * as people from './people/people.module.js';
import type { Config } from './platform/index.js';
import { ConfigModule } from './platform/config/config.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import * as platform from './platform/platform.module.js';
import { room } from './platform/room.js';
import * as reports from './reports/reports.module.js';
import * as search from './search/search.module.js';
import * as spam from './spam/spam.module.js';
import { StartBanner } from './start-banner.js';
import * as statistics from './statistics/statistics.module.js';
import * as submissions from './submissions/submissions.module.js';
import * as triage from './triage/triage.module.js';
import * as pages from './visitor-pages/pages.module.js';
import * as web from './web/web.module.js';

/** All rooms: what comes first gets a request first. */
const ROOMS = [
  platform,
  people,
  accounts,
  FormsModule,
  ClientsModule,
  submissions,
  triage,
  statistics,
  search,
  jobs,
  moving,
  pages,
  intake,
  mail,
  destinations,
  health,
  reports,
  operations,
  deliveries,
  spam,
  docs,
  mcp,
  web,
];

@Module({
  imports: [DatabaseModule, ...ROOMS.map((each) => (typeof each === 'function' ? each : room(each)))],
  providers: [StartBanner],
})
export class AppModule {
  /** Returns the whole service under the given settings, and what stands beside it. */
  static with(config: Config, beside: Type[] = []): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.with(config), ...beside] };
  }
}
