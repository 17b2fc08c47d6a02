import { wrapped } from '../../platform/http/wrapped.js';
import { ApiProperty } from '@nestjs/swagger';
import type { CaptchaProvider } from '../evidence/form-captcha.js';
import { levelOf, SPAM_LEVEL_NAMES, type SpamLevel } from '../judge/spam-level.js';
import type { SpamSettings } from '../judge/spam-settings.js';

/** How a form weighs a signal. */
export class SignalDto {
  /** Whether the form goes by it. */
  enabled: boolean;
  /** Points that it adds to the score. */
  points: number;
}

/** How a form takes proofs of work. */
export class ProofOfWorkDto {
  /** Whether what comes without one is held, whatever that is worth. */
  require: boolean;
}

/** The captcha that a form shows. Its secret is not shown. */
export class CaptchaDto {
  provider: CaptchaProvider;
  site_key: string;
  action: string | null;
  min_score: number;
}

/** How a form judges what is sent. */
export class SpamRulesDto {
  /** By the name of the signal. */
  signals: Record<string, SignalDto>;
  /** The level that has these scores; null for scores of your own. */
  @ApiProperty({ enum: SPAM_LEVEL_NAMES, nullable: true, type: String })
  level: SpamLevel | null;
  /** From this score on a submission is held. */
  held_at: number;
  /** From this score on it is spam. */
  spam_at: number;
  /** Hours after which the mail to the visitor and the webhook of a held submission go out by themselves; null: only
   * when somebody says that it is no spam. */
  hold_hours: number | null;
  /** Names of honeypots of this form, beside `_gotcha` and `formbackend_nono`. */
  honeypots: string[];
  /** The scripts that visitors write in, for the signal `script`; null: any. */
  scripts: string[] | null;
  /** For the signal `proof_of_work`. */
  proof_of_work: ProofOfWorkDto;
  /** For the signal `captcha`; null: none. */
  captcha: CaptchaDto | null;

  static of(settings: SpamSettings): SpamRulesDto {
    const { signals, heldAt, spamAt, holdHours, honeypots, scripts, proofRequired, captcha } =
      settings;
    return {
      signals,
      level: levelOf(settings),
      held_at: heldAt,
      spam_at: spamAt,
      hold_hours: holdHours,
      honeypots: [...honeypots],
      scripts: scripts && [...scripts],
      proof_of_work: { require: proofRequired },
      captcha: captcha && {
        provider: captcha.provider,
        site_key: captcha.siteKey,
        action: captcha.action,
        min_score: captcha.minScore,
      },
    };
  }
}

export class SpamSettingsDto extends wrapped('spam', SpamRulesDto) {}
