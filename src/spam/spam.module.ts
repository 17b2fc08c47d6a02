import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { SpamHistory } from './spam-history.js';
import { SLOW_SIGNALS, SpamJudge } from './spam-judge.js';
import { SpamSettingsController } from './spam-settings.controller.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Module({
  imports: [FormsModule],
  controllers: [SpamSettingsController],
  providers: [{ provide: SLOW_SIGNALS, useValue: [] }, SpamHistory, SpamJudge, SpamSettingsService],
  exports: [SpamHistory, SpamJudge, SpamSettingsService],
})
export class SpamModule {}
