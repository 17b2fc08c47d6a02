import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../platform/index.js';

/** How often a canary runs. */
export const SCHEDULES = ['off', 'weekly', 'daily', 'hourly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

const INTERVALS_MS = { weekly: 7 * DAY_MS, daily: DAY_MS, hourly: HOUR_MS };

/**
 * Returns the next run after a time; null for none. Each form has its own moment of the interval, so that an
 * instance's runs are spread over all of it.
 */
export function nextRun(schedule: Schedule, formId: number, after: Date): Date | null {
  if (schedule === 'off') return null;
  const interval = INTERVALS_MS[schedule];
  const hash = createHash('sha256').update(String(formId)).digest().readUInt32BE();
  const offset = Math.floor((hash / 2 ** 32) * interval);
  const turns = Math.floor((after.getTime() - offset) / interval) + 1;
  return new Date(turns * interval + offset);
}

/** The steps of a canary in their order: fetching the page, finding its form, and the way of a submission. */
export const STEPS = ['page', 'form', 'address', 'intake', 'database', 'queue', 'mail'] as const;
export type StepName = (typeof STEPS)[number];

/** Steps on the way that the submissions of all forms take, which no owner can mend. */
const OF_SERVICE: readonly StepName[] = ['address', 'database', 'queue', 'mail'];

export function isOfService(step: StepName) {
  return OF_SERVICE.includes(step);
}

/** Tells whether a run got through all that it shares with the submissions of all forms. */
export function isThrough(steps: readonly Step[]) {
  const shared = steps.filter(({ step }) => isOfService(step));
  return (
    shared.every(({ state }) => state !== 'failed') &&
    shared.some(({ step, state }) => step === 'queue' && state === 'ok')
  );
}

/** `skipped`: an earlier step, or a setting, leaves nothing to do. `unseen`: it cannot be told from outside. */
export type StepState = 'ok' | 'failed' | 'skipped' | 'unseen';

/** How a step ended. One that failed for several reasons is there once for each. */
export interface Step {
  step: StepName;
  state: StepState;
  /** Stable word for the reason; null when all is well. */
  code: string | null;
  /** A sentence for the owner. */
  detail: string;
}

/** Returns the first step that failed; null when none did. */
export function failureIn(steps: readonly Step[]): Step | null {
  return steps.find(({ state }) => state === 'failed') ?? null;
}

/** Returns a step without a code. */
export function ok(step: StepName, detail: string): Step {
  return { step, state: 'ok', code: null, detail };
}

export function failed(step: StepName, code: string, detail: string): Step {
  return { step, state: 'failed', code, detail };
}

export function unseen(step: StepName, code: string, detail: string): Step {
  return { step, state: 'unseen', code, detail };
}

export function skipped(step: StepName, code: string, detail: string): Step {
  return { step, state: 'skipped', code, detail };
}
