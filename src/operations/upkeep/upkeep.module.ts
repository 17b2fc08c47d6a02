import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FilesModule } from '../../files/files.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { SavedViewsModule } from '../../saved-views/saved-views.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { SpamLearningModule } from '../../spam/learning/spam-learning.module.js';
import { SpamModule } from '../../spam/spam.module.js';
import { SubmissionsModule } from '../../submissions/submissions.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { UpkeepJobs } from './upkeep-jobs.js';
import { Upkeep } from './upkeep.js';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    DeliveriesModule,
    FilesModule,
    MailModule,
    PeopleModule,
    RateLimitsModule,
    SpamLearningModule,
    SpamModule,
    SubmissionsModule,
    WebhooksModule,
    SavedViewsModule,
    SessionsModule,
  ],
  providers: [UpkeepJobs, Upkeep],
})
export class UpkeepModule {}
