import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PagesModule } from '../visitor-pages/pages.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { Idempotency } from './idempotency.js';
import { IdempotencyKey } from '../submissions/storage/idempotency-key.entity.js';
import { IdempotencyKeysRepository } from '../submissions/storage/idempotency-keys.repository.js';
import { Intake } from './intake.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([IdempotencyKey]),
    HttpModule,
    FormsModule,
    FilesModule,
    NotificationsModule,
    SubmissionsModule,
    PagesModule,
    RateLimitsModule,
  ],
  providers: [Idempotency, IdempotencyKeysRepository, Intake],
  exports: [Idempotency, Intake],
})
export class IntakeModule {}
