import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { LearnedSignal } from './learning/learned-signal.service.js';
import { SpamLearningModule } from './learning/spam-learning.module.js';
import { SpamHistory } from './spam-history.js';
import { SLOW_SIGNALS, SpamJudge } from './spam-judge.js';
import type { SlowSignal } from './spam-signal.js';
import { SpamSettingsController } from './spam-settings.controller.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Module({
  imports: [FormsModule, SpamLearningModule],
  controllers: [SpamSettingsController],
  providers: [
    {
      provide: SLOW_SIGNALS,
      inject: [LearnedSignal],
      useFactory: (learned: LearnedSignal): SlowSignal[] => [learned],
    },
    SpamHistory,
    SpamJudge,
    SpamSettingsService,
  ],
  exports: [SpamHistory, SpamJudge, SpamSettingsService],
})
export class SpamModule {}
