import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
/** Most deliveries under way to one webhook host: a slow one takes a twelfth of the worker's 50 places. */
const CONCURRENCY = 4;
/** The same for the mail server, which all mails go through. Postfix takes 50 connections of a client. */
const MAIL_CONCURRENCY = 10;
/** Failures in a row that open a destination's circuit: single ones happen to every receiver. */
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
 * Names a destination: the mail server, or the host of a webhook. The prefixes keep them apart: an owner may
 * use a host called `smtp`.
 */
export type DestinationName = typeof MAIL_SERVER | `http:${string}`;

/** Returns the host in a destination's name. */
export function hostOf(name: Exclude<DestinationName, typeof MAIL_SERVER>): string {
  return name.slice('http:'.length);
}

interface Destination {
  underWay: number;
  failures: number;
  /** When the circuit closes, in milliseconds since the epoch; 0 when it is not open. */
  openUntil: number;
  /** When it was last attempted, in milliseconds since the epoch. */
  lastAt: number;
}

/**
 * Knows which destinations are busy or away. Their deliveries wait in the database and take no place from
 * others.
 */
export class Destinations {
  private readonly known = new Map<DestinationName, Destination>();

  /** Returns destinations that should get nothing more now. */
  busy(now: Date): DestinationName[] {
    this.forgetOld(now);
    return [...this.known.keys()].filter((name) => this.room(name, now) === 0);
  }

  /** Returns how many more deliveries a destination can take now. */
  room(name: DestinationName, now: Date): number {
    const destination = this.known.get(name);
    const limit = name === MAIL_SERVER ? MAIL_CONCURRENCY : CONCURRENCY;
    if (!destination) return limit;
    const pause = destination.openUntil - now.getTime();
    // A pause longer than OPEN_MAX_MS means that the clock was set back.
    if (pause > 0 && pause <= OPEN_MAX_MS) return 0;
    // After a pause, one delivery tests the destination before the others follow.
    const allowed = destination.failures >= FAILURES_TO_OPEN ? 1 : limit;
    return Math.max(allowed - destination.underWay, 0);
  }

  begin(name: DestinationName): void {
    const fresh = { underWay: 0, failures: 0, openUntil: 0, lastAt: 0 };
    const destination = this.known.get(name) ?? fresh;
    destination.underWay++;
    this.known.set(name, destination);
  }

  /**
   * Records the end of an attempt.
   * @param reached whether the destination answered, even with a refusal; null when it was not asked
   */
  end(name: DestinationName, reached: boolean | null, now: Date): void {
    const destination = this.known.get(name);
    if (!destination) return;
    destination.underWay--;
    destination.lastAt = now.getTime();
    if (reached !== null) destination.failures = reached ? 0 : destination.failures + 1;
    const over = destination.failures - FAILURES_TO_OPEN;
    if (reached === false && over >= 0) {
      destination.openUntil = now.getTime() + Math.min(OPEN_FIRST_MS * 2 ** over, OPEN_MAX_MS);
    } else if (destination.underWay === 0 && destination.failures === 0) this.known.delete(name);
  }

  private forgetOld(now: Date): void {
    for (const [name, { underWay, lastAt }] of this.known) {
      if (underWay === 0 && lastAt + REMEMBERED_MS <= now.getTime()) this.known.delete(name);
    }
  }
}
