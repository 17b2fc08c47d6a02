import { Module } from '@nestjs/common';
import { AliasesModule } from '../aliases/aliases.module.js';
import { PagesModule } from '../visitor-pages/pages.module.js';
import { Intake } from './intake.js';
import { RefusalsModule } from '../watch/refusals/refusals.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [AliasesModule, SubmissionsModule, PagesModule, RefusalsModule],
  providers: [Intake],
  exports: [Intake],
})
export class IntakeModule {}
