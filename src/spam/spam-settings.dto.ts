import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { asked, given, wrapped } from '../platform/http/index.js';
import { Nested, Flag, Optional } from '../platform/index.js';
import { CAPTCHA_PROVIDERS, type CaptchaProvider, SCRIPT_NAMES, type Script } from './evidence/spam-evidence.js';
import { SIGNAL_DEFAULTS } from './signals/index.js';
import {
  SPAM_LEVEL_NAMES,
  SPAM_LEVELS,
  type SpamLevel,
  levelOf,
  HONEYPOT_MAX,
  type SignalWeight,
  type SpamRulesChange,
  type SpamSettings,
} from './judge/spam-settings.js';

/** Most honeypots of a form. */
const HONEYPOTS_MAX = 20;
const HONEYPOT = { each: true, message: `must have 1 to ${HONEYPOT_MAX} characters each` };
/** Most points of a signal, and the highest score that is held or spam. */
const POINTS_MAX = 100;
/** Longest hold: 90 days. */
const HOLD_HOURS_MAX = 2160;
const POINTS = { message: `must be a number from 0 to ${POINTS_MAX}, with at most one decimal` };
const SCORE = { message: `must be a number from 1 to ${POINTS_MAX}, with at most one decimal` };
const HOURS = { message: `must be a whole number of hours from 1 to ${HOLD_HOURS_MAX}, or null` };

const SITE_KEY = /^[\w.-]{1,255}$/;
const SITE_KEY_MESSAGE = { message: 'must have 1 to 255 letters, digits, _, - or dots' };
const KEY = /^[!-~]{1,255}$/;
const KEY_MESSAGE = { message: 'must have 1 to 255 characters without spaces' };
const ACTION = /^[\w/-]{1,100}$/;
const ACTION_MESSAGE = { message: 'must have 1 to 100 letters, digits, _, - or /, or be null' };
const MIN_SCORE = { message: 'must be a number from 0 to 1, with at most two decimals' };

const Decimal = (message: { message: string }) =>
  IsNumber({ maxDecimalPlaces: 1, allowNaN: false, allowInfinity: false }, message);

/** How a form weighs a signal. Absent: stays as it is. */
export class SetSignalDto {
  /** Whether the form goes by it. */
  @Flag()
  @Optional()
  enabled?: boolean;

  /** Points that it adds to the score, 0 to 100. */
  @Max(POINTS_MAX, POINTS)
  @Min(0, POINTS)
  @Decimal(POINTS)
  @Optional()
  points?: number;
}

/** The signals to change, by name. Absent: stays as it is. */
export class SetSignalsDto {
  [signal: string]: SetSignalDto | undefined;
}

for (const { name, points, enabled } of SIGNAL_DEFAULTS) {
  const description = `${points} points and ${enabled ? 'on' : 'off'} by default.`;
  for (const decorate of [
    Nested(() => SetSignalDto),
    Optional(),
    ApiPropertyOptional({ type: SetSignalDto, description }),
  ]) {
    decorate(SetSignalsDto.prototype, name);
  }
}

/** How a form takes proofs of work. Absent: stays as it is. */
export class SetProofOfWorkDto {
  /** Whether what comes without one is held, whatever that is worth. */
  @Flag()
  @Optional()
  require?: boolean;
}

/** The captcha that a form shows. Absent: stays as it is; what has another provider begins anew. */
export class SetCaptchaDto {
  @ApiPropertyOptional({ enum: CAPTCHA_PROVIDERS })
  @IsIn(CAPTCHA_PROVIDERS, { message: `must be one of ${CAPTCHA_PROVIDERS.join(', ')}` })
  @Optional()
  provider?: CaptchaProvider;

  /** The key that the page has: 1 to 255 letters, digits, _, - or dots. */
  @Matches(SITE_KEY, SITE_KEY_MESSAGE)
  @IsString(SITE_KEY_MESSAGE)
  @Optional()
  site_key?: string;

  /** The key that verifies, 1 to 255 characters; it is never shown again. */
  @Matches(KEY, KEY_MESSAGE)
  @IsString(KEY_MESSAGE)
  @Optional()
  secret?: string;

  /** Expected `action` of the Turnstile or reCAPTCHA v3 widget, 1 to 100 characters; null accepts any. */
  @Matches(ACTION, ACTION_MESSAGE)
  @IsString(ACTION_MESSAGE)
  @Optional({ nullable: true })
  action?: string | null;

  /** The lowest score of reCAPTCHA v3 that is taken, 0 to 1, with at most two decimals; 0.5 by default. */
  @Max(1, MIN_SCORE)
  @Min(0, MIN_SCORE)
  @IsNumber({ maxDecimalPlaces: 2, allowNaN: false, allowInfinity: false }, MIN_SCORE)
  @Optional()
  min_score?: number;
}

/** How a form judges what is sent. Absent: stays as it is. */
export class SetSpamRulesDto {
  @Nested(() => SetSignalsDto)
  @Optional()
  signals?: SetSignalsDto;

  /** Sets both scores at once; `held_at` and `spam_at` beside it win. Null: leaves them. */
  @ApiPropertyOptional({ enum: SPAM_LEVEL_NAMES, nullable: true })
  @IsIn(SPAM_LEVEL_NAMES, { message: `must be one of ${SPAM_LEVEL_NAMES.join(', ')}, or null` })
  @Optional({ nullable: true })
  level?: SpamLevel | null;

  /** From this score on a submission is held, 1 to 100. */
  @Max(POINTS_MAX, SCORE)
  @Min(1, SCORE)
  @Decimal(SCORE)
  @Optional()
  held_at?: number;

  /** From this score on it is spam, 1 to 100 and not below `held_at`. */
  @Max(POINTS_MAX, SCORE)
  @Min(1, SCORE)
  @Decimal(SCORE)
  @Optional()
  spam_at?: number;

  /** Hours from 1 to 2160 after which what a held submission causes goes out; null: never by itself. */
  @Max(HOLD_HOURS_MAX, HOURS)
  @Min(1, HOURS)
  @IsInt(HOURS)
  @Optional({ nullable: true })
  hold_hours?: number | null;

  /** At most 20 names of fields that people do not see, 1 to 100 characters each; they replace those before. */
  @MaxLength(HONEYPOT_MAX, HONEYPOT)
  @MinLength(1, HONEYPOT)
  @IsString({ each: true, message: 'must be a list of strings' })
  @ArrayMaxSize(HONEYPOTS_MAX, { message: `must not have more than ${HONEYPOTS_MAX} names` })
  @IsArray({ message: 'must be a list of strings' })
  @Optional()
  honeypots?: string[];

  /** Scripts that visitors write in; null: any. */
  @ApiPropertyOptional({ enum: SCRIPT_NAMES, isArray: true, nullable: true })
  @IsIn(SCRIPT_NAMES, { each: true, message: `must be some of ${SCRIPT_NAMES.join(', ')}` })
  @ArrayUnique({ message: 'must contain each script only once' })
  @ArrayNotEmpty({ message: 'must contain a script, or be null' })
  @IsArray({ message: 'must be a list of names, or null' })
  @Optional({ nullable: true })
  scripts?: Script[] | null;

  @Nested(() => SetProofOfWorkDto)
  @Optional()
  proof_of_work?: SetProofOfWorkDto;

  /** Null: none. */
  @Nested(() => SetCaptchaDto, 'must be an object, or null')
  @Optional({ nullable: true })
  captcha?: SetCaptchaDto | null;
}

export class SetSpamSettingsDto extends asked('spam', SetSpamRulesDto) {
  static change(rules: SetSpamRulesDto): SpamRulesChange {
    const { signals, level, proof_of_work, captcha, ...rest } = rules;
    return {
      ...(level && SPAM_LEVELS[level]),
      ...given(rest),
      ...(proof_of_work?.require !== undefined && { proofRequired: proof_of_work.require }),
      ...(captcha !== undefined && { captcha: captcha && given(captcha) }),
      ...(signals && { signals: weightsOf(signals) }),
    };
  }
}

function weightsOf(signals: SetSignalsDto): Record<string, Partial<SignalWeight>> {
  const weights = Object.entries(signals).flatMap(([name, weight]) => (weight ? [[name, given(weight)] as const] : []));
  return Object.fromEntries(weights);
}

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
    const { signals, heldAt, spamAt, holdHours, honeypots, scripts, proofRequired, captcha } = settings;
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
