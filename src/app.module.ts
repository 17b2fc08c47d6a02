import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BackupModule } from './backup/backup.module.js';
import { ClientsModule } from './clients/clients.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { FormsModule } from './forms/forms.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PeopleModule } from './people/people.module.js';
import { SubmissionsModule } from './submissions/submissions.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { WarningsModule } from './warnings/warnings.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WebModule } from './web/web.module.js';
import { Welcome } from './welcome.js';

@Module({
  imports: [
    DatabaseModule,
    HttpModule,
    AuthModule,
    AuditModule,
    PeopleModule,
    AccountsModule,
    FormsModule,
    ClientsModule,
    SubmissionsModule,
    PagesModule,
    IntakeModule,
    MailModule,
    WebhooksModule,
    WarningsModule,
    UpkeepModule,
    HealthModule,
    MetricsModule,
    DoctorModule,
    BackupModule,
    WebModule,
  ],
  providers: [Welcome],
})
export class AppModule {
  /** The whole service under the given settings. */
  static with(config: Config): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.with(config)] };
  }
}
