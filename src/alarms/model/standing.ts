import { ageAt, DAY_MS } from '../../platform/kernel/time/durations.js';
import type { FormAlarm } from './form-alarm.entity.js';
import { OVER_MS, patienceOf } from './patience.js';

/** How long an alarm that is over is remembered, in milliseconds: what comes and goes is told once in that time. */
const REMEMBERED_MS = DAY_MS;

/** Result of a comparison: an alarm is told, told to be over, removed, changed, or stays. */
type Next = 'tell' | 'end' | 'drop' | Partial<FormAlarm> | null;

/** Says what follows for an alarm whose warning stands. */
export function standing(alarm: FormAlarm, now: Date): Next {
  const { code, foundAt, toldAt, overAt, endedAt } = alarm;
  if (endedAt !== null && ageAt(now, endedAt) >= REMEMBERED_MS)
    return { foundAt: now, toldAt: null, overAt: null, endedAt: null };
  if (overAt !== null) return { overAt: null };
  const isDue = toldAt === null && ageAt(now, foundAt) >= (patienceOf(code) ?? Infinity);
  return isDue ? 'tell' : null;
}

/** Says what follows for an alarm whose warning is gone. */
export function gone({ toldAt, overAt, endedAt }: FormAlarm, now: Date): Next {
  if (toldAt === null) return 'drop';
  if (endedAt !== null) return ageAt(now, endedAt) >= REMEMBERED_MS ? 'drop' : null;
  if (overAt === null) return { overAt: now };
  return ageAt(now, overAt) >= OVER_MS ? 'end' : null;
}
