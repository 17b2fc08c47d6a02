/** Deliveries under way to one destination at most, so that a slow one leaves room for the others. */
const CONCURRENCY = 4;
/** Our own mail server gets more: it is one for all. */
const MAIL_CONCURRENCY = 10;
/** Failures in a row after which a destination is left alone for a while, and how long. */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 10_000;
const OPEN_MAX_MS = 5 * 60_000;
/** After this time without a try, failures are forgotten: hosts come and go, and the list must not grow. */
const REMEMBERED_MS = 10 * 60_000;

/** The mail server of SMTP_URL, through which all mails go. */
export const MAIL_SERVER = 'smtp:';
/**
 * What deliveries go through: the mail server, or the host of a webhook. Each sort has a prefix of its
 * own, since owners choose hosts and may call one as they like.
 */
export type DestinationName = typeof MAIL_SERVER | `http:${string}`;

/** The host that a destination's name stands for. */
export function hostOf(name: Exclude<DestinationName, typeof MAIL_SERVER>): string {
  return name.slice('http:'.length);
}

interface Destination {
  underWay: number;
  failures: number;
  /** Until when it is left alone. */
  openUntil: number;
  /** When it was last tried. */
  lastAt: number;
}

/**
 * Knows which destinations are busy or away. What is owed to them waits its turn in the database and
 * takes no place from the others.
 */
export class Destinations {
  private readonly known = new Map<DestinationName, Destination>();

  /** Destinations that should get nothing more just now. */
  busy(now: Date): DestinationName[] {
    this.forgetOld(now);
    return [...this.known.keys()].filter((name) => this.room(name, now) === 0);
  }

  /** How many more deliveries a destination can take just now. */
  room(name: DestinationName, now: Date): number {
    const destination = this.known.get(name);
    const limit = name === MAIL_SERVER ? MAIL_CONCURRENCY : CONCURRENCY;
    if (!destination) return limit;
    const pause = destination.openUntil - now.getTime();
    // A longer pause than there is comes of a clock that was set back.
    if (pause > 0 && pause <= OPEN_MAX_MS) return 0;
    // After a pause one delivery tells whether the others may follow.
    const allowed = destination.failures >= FAILURES_TO_OPEN ? 1 : limit;
    return Math.max(allowed - destination.underWay, 0);
  }

  begin(name: DestinationName): void {
    const fresh = { underWay: 0, failures: 0, openUntil: 0, lastAt: 0 };
    const destination = this.known.get(name) ?? fresh;
    destination.underWay++;
    this.known.set(name, destination);
  }

  /** @param reached whether the destination answered at all, be it with a refusal; null when it was not asked */
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
