import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { LearnedSignal } from './learning/spam-lessons.service.js';
import { SpamLearningModule } from './learning/spam-learning.module.js';
import { EmailDomainSignal } from './email-domain/mail-domains.service.js';
import { Akismet, Rspamd } from './external/external-filter.js';
import { CaptchaSignal, CaptchaTroubles } from './captcha/captcha-verifier.js';
import { CaptchaTroublesRepository } from './captcha/captcha-troubles.repository.js';
import { FormTokens, type SlowSignal } from './evidence/spam-evidence.js';
import { ListsSignal } from './lists/spam-lists.service.js';
import { SpamListsModule } from './lists/spam-lists.module.js';
import { ProofsOfWork } from './proof-of-work/proofs-of-work.service.js';
import { SpentSolutionsRepository } from './proof-of-work/spent-solutions.repository.js';
import { SpamHistory } from './history/spam-history.js';
import { SLOW_SIGNALS, SpamJudge } from './judge/spam-judge.js';
import { SpamSettingsController } from './spam-settings.controller.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Module({
  imports: [FormsModule, SpamLearningModule, SpamListsModule],
  controllers: [SpamSettingsController],
  providers: [
    {
      provide: SLOW_SIGNALS,
      inject: [EmailDomainSignal, ListsSignal, LearnedSignal, Rspamd, Akismet, CaptchaSignal],
      useFactory: (...signals: SlowSignal[]): SlowSignal[] => signals,
    },
    Akismet,
    CaptchaSignal,
    CaptchaTroubles,
    CaptchaTroublesRepository,
    EmailDomainSignal,
    FormTokens,
    ProofsOfWork,
    Rspamd,
    SpamHistory,
    SpamJudge,
    SpamSettingsService,
    SpentSolutionsRepository,
  ],
  exports: [
    Akismet,
    CaptchaTroubles,
    FormTokens,
    ProofsOfWork,
    Rspamd,
    SpamHistory,
    SpamJudge,
    SpamSettingsService,
  ],
})
export class SpamModule {}
