import { LearnedSignal, SpamLearning, SpamLessons } from './learning/spam-lessons.service.js';
import { SpamLearningController } from './learning/spam-learning.controller.js';
import { SpamLessonsRepository, SpamModelsRepository } from './learning/spam-models.repository.js';
import { ListsSignal, LookUps, SpamLists } from './lists/spam-lists.service.js';
import { SpamListsController } from './lists/spam-lists.controller.js';
import { SpamListsRepository } from './lists/spam-lists.repository.js';
import { Room } from '../platform/room.js';
import { EmailDomainSignal } from './email-domain/mail-domains.service.js';
import { Akismet, Rspamd } from './external/external-filter.js';
import { CaptchaSignal, CaptchaTroubles } from './captcha/captcha-verifier.js';
import { CaptchaTroublesRepository } from './captcha/captcha-troubles.repository.js';
import { FormTokens, type SlowSignal } from './evidence/spam-evidence.js';
import { ProofsOfWork } from './proof-of-work/proofs-of-work.service.js';
import { SpentSolutionsRepository } from './proof-of-work/spent-solutions.repository.js';
import { SpamHistory } from './history/spam-history.js';
import { SLOW_SIGNALS, SpamJudge } from './judge/spam-judge.js';
import { SpamSettingsController } from './spam-settings.controller.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Room({
  controllers: [SpamLearningController, SpamListsController, SpamSettingsController],
  providers: [
    LearnedSignal,
    SpamLearning,
    SpamLessons,
    SpamLessonsRepository,
    SpamModelsRepository,
    ListsSignal,
    LookUps,
    SpamLists,
    SpamListsRepository,
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
})
export class SpamModule {}
