import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
/** Most deliveries under way to one webhook host: a slow one takes a twelfth of the worker's 50 places. */
const CONCURRENCY = 4;
/** The same for the mail server, which all mails go through. Postfix takes 50 connections of a client. */
const MAIL_CONCURRENCY = 10;
/** Failures in a row that open a receiver's circuit: single ones happen to every receiver. */
const FAILURES_TO_OPEN = 5;
/**
 * How long the circuit is open at first and at most, in milliseconds; it doubles. Ten seconds outlast a
 * restart; after five minutes at most a receiver that recovered gets its deliveries.
 */
const OPEN_FIRST_MS = 10_000;
const OPEN_MAX_MS = 5 * MINUTE_MS;
/**
 * Time without an attempt after which failures are forgotten, in milliseconds, so that the map does not grow
 * with every host ever used.
 */
const REMEMBERED_MS = 10 * MINUTE_MS;

/** The mail server of SMTP_URL, which all mails go through. */
export const MAIL_SERVER = 'smtp:';
/**
 * Names a receiver: the mail server, or the host of a webhook. The prefixes keep them apart: an owner may
 * use a host called `smtp`.
 */
export type ReceiverName = typeof MAIL_SERVER | `http:${string}`;

/** Returns the host in a receiver's name. */
export function hostOf(name: Exclude<ReceiverName, typeof MAIL_SERVER>): string {
  return name.slice('http:'.length);
}

interface Receiver {
  underWay: number;
  failures: number;
  /** When the circuit closes, in milliseconds since the epoch; 0 when it is not open. */
  openUntil: number;
  /** When it was last attempted, in milliseconds since the epoch. */
  lastAt: number;
}

/**
 * Knows which receivers are busy or away. Their deliveries wait in the database and take no place from
 * others.
 */
export class Receivers {
  private readonly known = new Map<ReceiverName, Receiver>();

  /** Returns receivers that should get nothing more now. */
  busy(now: Date): ReceiverName[] {
    this.forgetOld(now);
    return [...this.known.keys()].filter((name) => this.room(name, now) === 0);
  }

  /** Returns how many more deliveries a receiver can take now. */
  room(name: ReceiverName, now: Date): number {
    const receiver = this.known.get(name);
    const limit = name === MAIL_SERVER ? MAIL_CONCURRENCY : CONCURRENCY;
    if (!receiver) return limit;
    const pause = receiver.openUntil - now.getTime();
    // A pause longer than OPEN_MAX_MS means that the clock was set back.
    if (pause > 0 && pause <= OPEN_MAX_MS) return 0;
    // After a pause, one delivery tests the receiver before the others follow.
    const allowed = receiver.failures >= FAILURES_TO_OPEN ? 1 : limit;
    return Math.max(allowed - receiver.underWay, 0);
  }

  begin(name: ReceiverName): void {
    const fresh = { underWay: 0, failures: 0, openUntil: 0, lastAt: 0 };
    const receiver = this.known.get(name) ?? fresh;
    receiver.underWay++;
    this.known.set(name, receiver);
  }

  /**
   * Records the end of an attempt.
   * @param reached whether the receiver answered, even with a refusal; null when it was not asked
   */
  end(name: ReceiverName, reached: boolean | null, now: Date): void {
    const receiver = this.known.get(name);
    if (!receiver) return;
    receiver.underWay--;
    receiver.lastAt = now.getTime();
    if (reached !== null) receiver.failures = reached ? 0 : receiver.failures + 1;
    const over = receiver.failures - FAILURES_TO_OPEN;
    if (reached === false && over >= 0) {
      receiver.openUntil = now.getTime() + Math.min(OPEN_FIRST_MS * 2 ** over, OPEN_MAX_MS);
    } else if (receiver.underWay === 0 && receiver.failures === 0) this.known.delete(name);
  }

  private forgetOld(now: Date): void {
    for (const [name, { underWay, lastAt }] of this.known) {
      if (underWay === 0 && lastAt + REMEMBERED_MS <= now.getTime()) this.known.delete(name);
    }
  }
}
