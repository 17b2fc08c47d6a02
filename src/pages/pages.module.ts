import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { Pages } from './pages.js';
import { PagesController } from './pages.controller.js';

@Module({
  imports: [FormsModule, LimitsModule, SigningModule, SubmissionsModule],
  controllers: [PagesController],
  providers: [Pages],
  exports: [Pages],
})
export class PagesModule {}
