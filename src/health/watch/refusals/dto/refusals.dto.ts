import { IsInt, Max, Min } from 'class-validator';
import { Digits } from '../../../../platform/http/page-query.dto.js';
import { HOUR_MS } from '../../../../platform/kernel/time.js';
import { Optional } from '../../../../platform/kernel/validation.js';
import { REFUSALS_DAYS_MAX, type FormRefusals } from '../refusals.service.js';

const DAYS_BY_DEFAULT = 7;

export class RefusalsQueryDto {
  /** Days until now, up to 60; 7 by default. */
  @Max(REFUSALS_DAYS_MAX, { message: `must not be above ${REFUSALS_DAYS_MAX}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' })
  @Digits()
  @Optional()
  days?: number;

  static days({ days }: RefusalsQueryDto): number {
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
