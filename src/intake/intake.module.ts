import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HttpModule } from '../http/http.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { Idempotency } from './idempotency.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { Intake } from './intake.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([IdempotencyKey]),
    HttpModule,
    FormsModule,
    FilesModule,
    SubmissionsModule,
    PagesModule,
    LimitsModule,
  ],
  providers: [Idempotency, IdempotencyKeysRepository, Intake],
  exports: [Idempotency, Intake],
})
export class IntakeModule {}
