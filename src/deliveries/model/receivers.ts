import { MINUTE_MS } from '../../platform/index.js';
/** Most deliveries of an account under way to one host: a slow one takes a twelfth of the worker's 50 places. */
const CONCURRENCY = 4;
/** The same for a host and all accounts together: a slow one takes a quarter of the places. */
const HOST_CONCURRENCY = 12;
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
/** Longest time for which a destination that asks us to wait gets nothing, in milliseconds; it may ask again then. */
const WAIT_MAX_MS = 15 * MINUTE_MS;

/** The mail server of SMTP_URL, which all mails go through. */
export const MAIL_SERVER = 'smtp:';
/** A host and the account that calls it: what one account does to a host delays no other account. */
export interface HostOfAccount {
  accountId: number;
  host: string;
}
/** Names a receiver. The prefixes keep them apart: an owner may use a host called `smtp`. */
export type ReceiverName = typeof MAIL_SERVER | `http:${number}:${string}`;

/** Returns the name of a host for an account. */
export function nameOf({ accountId, host }: HostOfAccount): ReceiverName {
  return `http:${accountId}:${host}`;
}

/** Returns the host and the account in a receiver's name; null for the mail server. */
export function hostOf(name: ReceiverName): HostOfAccount | null {
  const [, accountId = '', host = ''] = /^http:(\d+):(.*)$/s.exec(name) ?? [];
  return name === MAIL_SERVER ? null : { accountId: Number(accountId), host };
}

/** Counts what is under way, by name. */
export class Counts<Name> {
  private readonly known = new Map<Name, number>();

  of(name: Name) {
    return this.known.get(name) ?? 0;
  }

  /** Returns the names of which there are so many. */
  from(least: number): Name[] {
    return [...this.known].filter(([, count]) => count >= least).map(([name]) => name);
  }

  add(name: Name, by: number) {
    const count = this.of(name) + by;
    if (count <= 0) this.known.delete(name);
    else this.known.set(name, count);
  }
}

interface Receiver {
  underWay: number;
  failures: number;
  /** When the circuit closes, in milliseconds since the epoch; 0 when it is not open. */
  openUntil: number;
  /** When it was last attempted, in milliseconds since the epoch. */
  lastAt: number;
}

/** Lists what gets nothing more now. */
export interface BusyReceivers {
  receivers: ReceiverName[];
  /** Hosts that have enough of all accounts together. */
  hosts: string[];
  /** Destinations that asked us to wait, by their ids. */
  waiting: Buffer[];
}

/**
 * Knows which receivers are busy or away, and which destinations asked us to wait. Their deliveries wait in the
 * database and take no place from others.
 */
export class Receivers {
  private readonly known = new Map<ReceiverName, Receiver>();
  /** How many are under way, by host. */
  private readonly hosts = new Counts<string>();
  /** When a destination may be called again, in milliseconds since the epoch, by its id in hexadecimal. */
  private readonly waits = new Map<string, number>();

  /** Returns what should get nothing more now. */
  busy(now: Date): BusyReceivers {
    this.forgetOld(now);
    return {
      receivers: [...this.known.keys()].filter((name) => this.ownRoom(name, now) === 0),
      hosts: this.hosts.from(HOST_CONCURRENCY),
      waiting: [...this.waits.keys()].map((id) => Buffer.from(id, 'hex')),
    };
  }

  /** Returns how many more deliveries a receiver can take now. */
  room(name: ReceiverName, now: Date) {
    return Math.min(this.ownRoom(name, now), this.roomOf(hostOf(name)?.host ?? ''));
  }

  /** Returns how many more deliveries of all accounts a host can take now. */
  roomOf(host: string) {
    return Math.max(HOST_CONCURRENCY - this.hosts.of(host), 0);
  }

  private ownRoom(name: ReceiverName, now: Date) {
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

  begin(name: ReceiverName) {
    const fresh = { underWay: 0, failures: 0, openUntil: 0, lastAt: 0 };
    const receiver = this.known.get(name) ?? fresh;
    receiver.underWay++;
    this.known.set(name, receiver);
    this.count(name, 1);
  }

  /**
   * Records the end of an attempt.
   * @param reached whether the receiver answered, even with a refusal; null when it was not asked
   */
  end(name: ReceiverName, reached: boolean | null, now: Date) {
    const receiver = this.known.get(name);
    if (!receiver) return;
    receiver.underWay--;
    this.count(name, -1);
    receiver.lastAt = now.getTime();
    if (reached !== null) receiver.failures = reached ? 0 : receiver.failures + 1;
    const over = receiver.failures - FAILURES_TO_OPEN;
    if (reached === false && over >= 0) {
      receiver.openUntil = now.getTime() + Math.min(OPEN_FIRST_MS * 2 ** over, OPEN_MAX_MS);
    } else if (receiver.underWay === 0 && receiver.failures === 0) this.known.delete(name);
  }

  /** Leaves a destination alone for as long as it asked, up to WAIT_MAX_MS. */
  wait(destinationId: Buffer, forMs: number, now: Date) {
    const until = now.getTime() + Math.min(forMs, WAIT_MAX_MS);
    this.waits.set(destinationId.toString('hex'), until);
  }

  private count(name: ReceiverName, by: number) {
    const host = hostOf(name)?.host;
    if (host !== undefined) this.hosts.add(host, by);
  }

  private forgetOld(now: Date) {
    for (const [name, { underWay, lastAt }] of this.known) {
      if (underWay === 0 && lastAt + REMEMBERED_MS <= now.getTime()) this.known.delete(name);
    }
    for (const [id, until] of this.waits) {
      // A wait longer than WAIT_MAX_MS means that the clock was set back.
      const left = until - now.getTime();
      if (left <= 0 || left > WAIT_MAX_MS) this.waits.delete(id);
    }
  }
}
