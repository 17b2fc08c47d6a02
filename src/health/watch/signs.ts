import type { LoudLevel } from './rhythm.js';
import { DAY_MS } from '../../platform/index.js';

/** How long a form may wait for its first submission, in milliseconds. */
export const CONNECT_MS = 3 * DAY_MS;

/** How a form fares by its rhythm; one that is off, or takes no submissions, is not looked at. */
export const WATCH_STATES = ['off', 'learning', 'alive', 'silent', 'never_connected'] as const;
export type WatchState = (typeof WATCH_STATES)[number];

/** The kinds of signs that something is unusual about what a form receives. */
export type SignCode = 'spam_rising' | 'verdicts_changed' | 'visitors_refused';

/** Something unusual about what a form receives. */
export interface Sign {
  code: SignCode;
  /** The hour in which it began, from 1970 on. */
  since: number;
  /** How much came so, of how much that was sent in the same time. */
  amount: number;
  of: number;
  /** Code of the error that visitors got most, and the field it is about; absent where nothing is refused. */
  error?: string;
  field?: string;
}

/** Amounts sent to a form within a time. */
export interface Sent {
  submissions: number;
  spam: number;
  refused: number;
}

/** Refusals of one hour with the same code and field. */
interface Refused {
  hour: number;
  code: string;
  field: string;
  amount: number;
}

/** Amounts sent lately, and before that. */
export interface Recent {
  /** In the last day. */
  now: Sent;
  /** In USUAL_DAYS before it. */
  before: Sent;
  /** Refusals of the last day, oldest first. */
  refusals: readonly Refused[];
  /** Signs that were there at the last look: they stay while they last, however usual they become. */
  standing: readonly Sign[];
}

/** Days before the last one that tell what is usual. */
export const USUAL_DAYS = 28;
/** How much must come so before it is a sign, for each level. */
const AMOUNT_MIN: Readonly<Record<LoudLevel, number>> = { quiet: 20, normal: 8, strict: 4 };
/** How many times as much spam as usual is a flood, and how much it is at least. */
const FLOOD_TIMES = 5;
const FLOOD_MIN = 20;
/** Parts of what is sent: more than the first now, where it was less than the second before. */
const MOST = 0.5;
const FEW = 0.25;
const NEARLY_ALL = 0.9;

/** Returns the signs of a form that is watched at a level. @param since the first hour of the last day */
export function signsOf(recent: Recent, level: LoudLevel, since: number): Sign[] {
  const found = [flood(recent, level, since), verdicts(recent, level, since), refusals(recent, level)];
  return found.flatMap((sign) => {
    if (sign === null) return [];
    const before = standingOf(recent, sign.code);
    return before ? [{ ...sign, since: before.since }] : [sign];
  });
}

function standingOf({ standing }: Pick<Recent, 'standing'>, code: SignCode) {
  return standing.find((sign) => sign.code === code);
}

/** Finds much more spam than usual, beside submissions that come as ever. */
function flood(recent: Recent, level: LoudLevel, since: number): Sign | null {
  const { now, before } = recent;
  const usual = before.spam / USUAL_DAYS;
  const most = Math.max(FLOOD_TIMES * (usual + 1), FLOOD_MIN, AMOUNT_MIN[level]);
  if (now.spam < most || verdictsTurned(recent, level)) return null;
  return { code: 'spam_rising', since, amount: now.spam, of: now.spam + now.submissions };
}

/** Finds that nearly all is judged spam where little was. */
function verdicts(recent: Recent, level: LoudLevel, since: number): Sign | null {
  if (!verdictsTurned(recent, level)) return null;
  const { spam, submissions } = recent.now;
  return { code: 'verdicts_changed', since, amount: spam, of: spam + submissions };
}

function verdictsTurned(recent: Recent, level: LoudLevel) {
  const { now, before } = recent;
  if (now.spam < AMOUNT_MIN[level] || part(now.spam, now.submissions) < NEARLY_ALL) return false;
  if (standingOf(recent, 'verdicts_changed')) return true;
  const usual = before.submissions / USUAL_DAYS;
  return (
    before.submissions >= AMOUNT_MIN[level] &&
    part(before.spam, before.submissions) < FEW &&
    // Where a flood of spam drowns submissions that come as ever, no verdict has changed.
    now.submissions < usual / 2
  );
}

/** Finds that visitors are refused more often than not, where they were not before. */
function refusals(recent: Recent, level: LoudLevel): Sign | null {
  const { now, before, refusals: all } = recent;
  if (now.refused < AMOUNT_MIN[level]) return null;
  if (part(now.refused, now.submissions) < MOST) return null;
  const isNew = before.submissions === 0 || part(before.refused, before.submissions) < FEW;
  if (!isNew && !standingOf(recent, 'visitors_refused')) return null;
  const [first] = all;
  if (!first) return null;
  const kinds = new Map<string, Refused>();
  for (const each of all) {
    const key = `${each.code} ${each.field}`;
    const known = kinds.get(key);
    kinds.set(key, known ? { ...known, amount: known.amount + each.amount } : each);
  }
  const [most = first] = [...kinds.values()].sort((one, other) => other.amount - one.amount);
  return {
    ...{ code: 'visitors_refused', since: most.hour },
    ...{ amount: now.refused, of: now.refused + now.submissions },
    ...{ error: most.code, field: most.field },
  };
}

/** Returns the part that some have of them and others, from 0 to 1. */
function part(some: number, others: number) {
  return some === 0 ? 0 : some / (some + others);
}
