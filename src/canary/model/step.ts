/** The steps of a canary in their order: fetching the page, finding its form, and the way of a submission. */
export const STEPS = ['page', 'form', 'address', 'intake', 'database', 'queue', 'mail'] as const;
export type StepName = (typeof STEPS)[number];

/** Steps on the way that the submissions of all forms take, which no owner can mend. */
const OF_SERVICE: readonly StepName[] = ['address', 'database', 'queue', 'mail'];

export function isOfService(step: StepName): boolean {
  return OF_SERVICE.includes(step);
}

/** Tells whether a run got through all that it shares with the submissions of all forms. */
export function isThrough(steps: readonly Step[]): boolean {
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
