import { IsIn, IsInt, Max, Min } from 'class-validator';
import { asked, wrapped, Digits } from '../../platform/http/index.js';
import { WATCH_LEVELS, type WatchLevel, momentOf } from './rhythm.js';
import type { Sign, SignCode, WatchState } from './signs.js';
import type { Watched, WatchedDay } from './watcher.js';
import { HOUR_MS, Optional } from '../../platform/index.js';
import { REFUSALS_DAYS_MAX, type FormRefusals } from './refusals.service.js';

class WatchSettingsDto {
  /** How soon the silence of the form is told: `off` never, `quiet` late, `strict` soon. */
  @IsIn(WATCH_LEVELS, { message: `must be one of ${WATCH_LEVELS.join(', ')}` })
  level: WatchLevel;
}

export class SetWatchDto extends asked('watch', WatchSettingsDto) {}

/** Something unusual about what a form receives. */
export class WatchSignDto {
  code: SignCode;
  /** Begin of the hour in which it began. */
  since: string;
  /** How many came so in the last day. */
  amount: number;
  /** How many were sent in the same time. */
  of: number;
  /** Code of the error that visitors got most; null where nothing is refused. */
  error: string | null;
  /** Field of the form's rules that the error is about; null for none. */
  field: string | null;

  static of({ code, since, amount, of, error, field }: Sign): WatchSignDto {
    return {
      ...{ code, since: momentOf(since).toISOString(), amount, of },
      ...{ error: error ?? null, field: field === undefined || field === '' ? null : field },
    };
  }
}

/** A day of UTC: what a form received, and what would have been usual. */
export class WatchDayDto {
  /** Such as `2030-01-31`. */
  day: string;
  received: number;
  /** Null while there is too little history. */
  expected_low: number | null;
  /** Null while there is too little history. */
  expected_high: number | null;

  static of({ day, received, expected }: WatchedDay): WatchDayDto {
    return { ...{ day, received }, ...{ expected_low: expected?.low ?? null, expected_high: expected?.high ?? null } };
  }
}

/** How a form is watched and fares. */
export class WatchDto {
  /** How soon its silence is told: `off`, `quiet`, `normal` or `strict`. */
  level: WatchLevel;
  /** `learning` until there is enough history; `off` while its level is off, or it takes no submissions. */
  state: WatchState;
  /** Begin of the hour of the last submission; null before the first. */
  last_submission_at: string | null;
  /** When its silence becomes improbable if nothing comes; null where that cannot be told. */
  silent_from: string | null;
  signs: WatchSignDto[];
  /** The last four weeks, today last. */
  days: WatchDayDto[];

  static of({ watch, days }: Watched): WatchDto {
    const { level, state, lastAt, silentFrom, signs } = watch;
    return {
      ...{ level, state },
      last_submission_at: lastAt?.toISOString() ?? null,
      silent_from: silentFrom?.toISOString() ?? null,
      signs: signs.map((sign) => WatchSignDto.of(sign)),
      days: days.map((day) => WatchDayDto.of(day)),
    };
  }
}

export class FormWatchDto extends wrapped('watch', WatchDto) {}

const DAYS_BY_DEFAULT = 7;

export class RefusalsQueryDto {
  /** Days until now, up to 60; 7 by default. */
  @Max(REFUSALS_DAYS_MAX, { message: `must not be above ${REFUSALS_DAYS_MAX}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' })
  @Digits()
  @Optional()
  days?: number;

  static days({ days }: RefusalsQueryDto) {
    return days ?? DAYS_BY_DEFAULT;
  }
}

/** How many submissions a form refused within an hour for one reason. */
export class RefusalDto {
  /** Begin of the hour. */
  hour: string;
  /** Stable name of the reason, such as `required`, `too_large` or `unreadable`; `other` for those beyond 200. */
  code: string;
  /** The first field at fault, if a rule of the form names it; null for none. */
  field: string | null;
  amount: number;
}

export class RefusalListDto {
  /** In the order of time. */
  refusals: RefusalDto[];

  static of(refusals: FormRefusals): RefusalListDto {
    return {
      refusals: refusals.map(({ hour, code, field, amount }) => ({
        hour: new Date(hour * HOUR_MS).toISOString(),
        ...{ code, field: field === '' ? null : field, amount },
      })),
    };
  }
}
