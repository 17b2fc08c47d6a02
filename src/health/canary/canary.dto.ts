import { asked, wrapped } from '../../platform/http/index.js';
import { IsIn } from 'class-validator';
import { parseHttpUrl } from '../../forms/model/form-values.js';
import { Optional, Parsed } from '../../platform/index.js';
import type { FormCanary } from './form-canary.entity.js';
import { SCHEDULES, type Schedule, type Step, type StepName, type StepState } from './step.js';

/** The page that a canary looks at. */
export class RunCanaryDto {
  /** The page that has the form; null for the page that most recent submissions came from. */
  @Parsed('not_a_url', parseHttpUrl, 'must be an address such as https://example.com/contact')
  @Optional({ nullable: true })
  page?: string | null;
}

class CanarySettingsDto extends RunCanaryDto {
  /** How often it runs; `off` ends it. */
  @IsIn(SCHEDULES, { message: `must be one of ${SCHEDULES.join(', ')}` })
  @Optional()
  schedule?: Schedule;
}

export class SetCanaryDto extends asked('canary', CanarySettingsDto) {}

/** One step of the last run. A step that failed for several reasons is there once for each. */
export class CanaryStepDto {
  step: StepName;
  /** `unseen`: it cannot be told from outside. `skipped`: there was nothing to do. */
  state: StepState;
  /** Reason; null when all is well. */
  code: string | null;
  /** A sentence that says what is wrong and how to fix it. */
  detail: string;

  static of({ step, state, code, detail }: Step): CanaryStepDto {
    return { step, state, code, detail };
  }
}

export class CanaryDto {
  schedule: Schedule;
  /** The page that has the form; null for the page that most recent submissions came from. */
  page: string | null;
  /** When it runs next, ISO 8601 in UTC; null when it is off. */
  next_run_at: string | null;
  /** When it ran last; null before the first run. */
  ran_at: string | null;
  /** Since when it fails, once a second run has confirmed it; null while it is well. */
  failed_since: string | null;
  /** The steps of the last run; empty before the first. */
  steps: CanaryStepDto[];

  static of({ schedule, page, nextRunAt, ranAt, failedSince, steps }: FormCanary): CanaryDto {
    return {
      ...{ schedule, page, next_run_at: nextRunAt?.toISOString() ?? null },
      ran_at: ranAt?.toISOString() ?? null,
      failed_since: failedSince?.toISOString() ?? null,
      steps: steps.map((step) => CanaryStepDto.of(step)),
    };
  }
}

/** The canary of a form. */
export class CanaryAnswerDto extends wrapped('canary', CanaryDto) {}
