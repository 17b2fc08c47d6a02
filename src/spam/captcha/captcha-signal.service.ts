import { Injectable } from '@nestjs/common';
import { captcha } from '../signals/captcha.js';
import type { SpamEvidence, CaptchaFailure } from '../evidence/spam-evidence.js';
import type { FormRules, FoundPart, SlowSignal } from '../evidence/spam-signal.js';
import { UNKNOWN_SHARE } from '../evidence/verdict.js';
import { CaptchaTroubles } from './captcha-troubles.service.js';
import { CaptchaVerifier } from './captcha-verifier.js';

const REASONS: Record<CaptchaFailure, string> = {
  missing: 'The captcha is missing.',
  refused: 'The captcha was not solved.',
  expired: 'The captcha has expired or was used before.',
  elsewhere: 'The captcha was solved on a page outside the allowed domains.',
  other_use: 'The captcha was solved for another action.',
  low: 'The captcha rates the visitor as a bot.',
};
const UNREACHABLE = 'The captcha could not be verified because the provider did not respond.';

/**
 * Says that a captcha was not solved. It is asked for at last, and only what is not spam yet: a provider takes a token
 * once. What cannot be verified is held, whatever the signal is worth, and is worth no more than that.
 */
@Injectable()
export class CaptchaSignal implements SlowSignal {
  readonly name = captcha.name;
  readonly points = captcha.points;
  readonly enabled = captcha.enabled;
  readonly last = true;

  constructor(
    private readonly verifier: CaptchaVerifier,
    private readonly troubles: CaptchaTroubles,
  ) {}

  readonly isUsedBy = (settings: FormRules): boolean => settings.captcha !== null;

  readonly look = async (
    { form, captcha: token }: SpamEvidence,
    settings: FormRules,
    late: AbortSignal,
  ): Promise<FoundPart | null> => {
    const { captcha: shown, allowedDomains } = settings;
    if (shown === null || token === null) return null;
    const outcome = await token.once((text) =>
      this.verifier.verify(shown, text, allowedDomains, late),
    );
    if (outcome.is === 'unknown') {
      if (outcome.trouble === null) return held(settings, UNREACHABLE);
      await this.troubles.note(form.id, outcome.trouble);
      return held(settings, `The captcha could not be verified: ${outcome.trouble}.`);
    }
    await this.troubles.clear(form.id);
    return outcome.is === 'pass' ? null : settings.part(this.name, REASONS[outcome.why]);
  };

  readonly unanswered = (settings: FormRules): FoundPart => held(settings, UNREACHABLE);
}

function held(settings: FormRules, reason: string): FoundPart {
  return { ...settings.part(captcha.name, reason, UNKNOWN_SHARE), holds: true };
}
