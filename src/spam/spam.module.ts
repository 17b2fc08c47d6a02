import { CaptchaSignal } from './captcha/captcha-verifier.js';
import { EmailDomainSignal } from './email-domain/mail-domains.service.js';
import type { SlowSignal } from './evidence/spam-evidence.js';
import { Akismet, Rspamd } from './external/external-filter.js';
import { SLOW_SIGNALS } from './judge/spam-judge.js';
import { LearnedSignal } from './learning/spam-lessons.service.js';
import { ListsSignal } from './lists/spam-lists.service.js';

export { LearnedSignal, SpamLearning, SpamLessons } from './learning/spam-lessons.service.js';
export { SpamLearningController } from './learning/spam-learning.controller.js';
export { SpamLessonsRepository, SpamModelsRepository } from './learning/spam-models.repository.js';
export { ListsSignal, LookUps, SpamLists } from './lists/spam-lists.service.js';
export { SpamListsController } from './lists/spam-lists.controller.js';
export { SpamListsRepository } from './lists/spam-lists.repository.js';
export { EmailDomainSignal } from './email-domain/mail-domains.service.js';
export { Akismet, Rspamd } from './external/external-filter.js';
export { CaptchaSignal, CaptchaTroubles } from './captcha/captcha-verifier.js';
export { CaptchaTroublesRepository } from './captcha/captcha-troubles.repository.js';
export { FormTokens } from './evidence/spam-evidence.js';
export { ProofsOfWork } from './proof-of-work/proofs-of-work.service.js';
export { SpentSolutionsRepository } from './proof-of-work/spent-solutions.repository.js';
export { SpamHistory } from './history/spam-history.js';
export { SpamJudge } from './judge/spam-judge.js';
export { SpamSettingsController } from './spam-settings.controller.js';
export { SpamSettingsService } from './spam-settings.service.js';

/** The signals that are waited for. */
export const slowSignals = {
  provide: SLOW_SIGNALS,
  inject: [EmailDomainSignal, ListsSignal, LearnedSignal, Rspamd, Akismet, CaptchaSignal],
  useFactory: (...signals: SlowSignal[]): SlowSignal[] => signals,
};
