import { Room } from '../platform/room.js';
import { CaptchaSignal } from './captcha/captcha-verifier.js';
import { EmailDomainSignal } from './email-domain/mail-domains.service.js';
import type { SlowSignal } from './evidence/spam-evidence.js';
import { Akismet, Rspamd } from './external/external-filter.js';
import { SLOW_SIGNALS } from './judge/spam-judge.js';
import { LearnedSignal } from './learning/spam-lessons.service.js';
import { ListsSignal } from './lists/spam-lists.service.js';
import * as parts from './spam.parts.module.js';

@Room({
  ...parts,
  slowSignals: {
    provide: SLOW_SIGNALS,
    inject: [EmailDomainSignal, ListsSignal, LearnedSignal, Rspamd, Akismet, CaptchaSignal],
    useFactory: (...signals: SlowSignal[]): SlowSignal[] => signals,
  },
})
export class SpamModule {}
