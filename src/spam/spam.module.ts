import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { SLOW_SIGNALS, SpamJudge } from './spam-judge.js';
import { SpamSettingsController } from './spam-settings.controller.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Module({
  imports: [FormsModule],
  controllers: [SpamSettingsController],
  providers: [{ provide: SLOW_SIGNALS, useValue: [] }, SpamJudge, SpamSettingsService],
  exports: [SpamJudge, SpamSettingsService],
})
export class SpamModule {}
