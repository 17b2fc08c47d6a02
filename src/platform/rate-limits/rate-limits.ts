import { Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TooManyRequestsError } from '../kernel/errors.js';
import { Config } from '../config/config.js';
import { addressOf, networkOf } from '../http/requests/requests.js';
import { Clock } from '../kernel/time.js';
import { RateCountStore } from './rate-counts.repository.js';

/** The limits, and the message for each. */
const REASONS = {
  address: 'Too many requests from your network',
  visits: 'Too many visits from your network',
  form: 'Too many submissions to this form',
  token: 'Too many requests with this API token',
  session: 'Too many page requests',
  failures: 'Too many requests without a valid API token from your network',
  'sign-in': 'Too many attempts to sign in',
  'sign-in-network': 'Too many attempts to sign in from your network',
  'sign-in-person': 'Too many attempts to sign in',
  'sign-in-link': 'Too many sign-in emails requested',
  'sign-in-link-network': 'Too many sign-in emails requested from your network',
  'sign-in-link-person': 'Too many sign-in emails requested',
  'sign-in-code': 'Too many attempts with a code',
  invitation: 'Too many invitations sent to this address',
  'test-mail': 'Too many test emails',
  'report-mail': 'This report was sent too often',
  canary: 'The canary of this form was run too often',
  'weekly-mail': 'This email was sent too often',
};

type LimitName = keyof typeof REASONS;

/** The limits that every answer tells of; of others strangers could measure how busy a form is. */
const SHOWN: ReadonlySet<LimitName> = new Set(['address', 'token', 'failures']);

/** A request exceeds a limit in this window. */
export class RateLimited extends TooManyRequestsError {
  constructor(name: LimitName, seconds: number) {
    super('rate_limited', `${REASONS[name]}. Try again in ${seconds} seconds.`, seconds);
  }
}

/** Most chunks that are being added to the shared store at a time. */
const MAX_SYNCS = 2;
/** Longest wait for a shared store, in milliseconds. */
const SYNC_TIMEOUT_MS = 2_000;
const DIGEST_BYTES = 16;
/** Window of the limits on sign-in mails and on the codes in them, in seconds. */
const LINK_WINDOW_SECONDS = 15 * 60;
/** Tries that one sign-in mail's code allows in a window (OWASP ASVS 5, 6.6.2). */
const TRIES_OF_A_CODE = 10;
/** Tests of mails that a person may send themselves in a window, runs of a form's canary, and the window in seconds. */
const TEST_MAILS = 10;
const TEST_WINDOW_SECONDS = 10 * 60;

/** Invitations to one address, and reports of one client, that are mailed by hand in a window, and it in seconds. */
const INVITATION_MAILS = 5;
const INVITATION_WINDOW_SECONDS = 60 * 60;

/** An attempt to sign in, or a request for a mail to sign in with. */
export type SignInTry = 'sign-in' | 'sign-in-link';

/** The response that carries the RateLimit headers. */
interface LimitedResponse {
  req: IncomingMessage;
  setHeader(name: string, value: string): unknown;
}

/**
 * Refuses callers who send too many requests. Keys are what the server itself knows: a network, the id of a
 * form or of a token; never anything that was sent.
 */
@Injectable()
export class RateLimits {
  private readonly logger = new Logger(RateLimits.name);
  private readonly limits: Record<LimitName, RateLimit>;
  /** When each warning was last logged, in milliseconds since the epoch: once a window is enough. */
  private readonly warnedAt = new Map<string, number>();
  private syncing = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly shared: RateCountStore,
  ) {
    const limit = (name: LimitName, quota: number, windowSeconds = WINDOW_SECONDS) =>
      new RateLimit(name, quota, (pending) => this.sync(pending), windowSeconds);
    const links = config.limits.signInLinks;
    this.limits = {
      address: limit('address', config.limits.address),
      // Apart, so that visits use up nothing of what submissions may.
      visits: limit('visits', config.limits.address),
      form: limit('form', config.limits.form),
      token: limit('token', config.limits.token),
      session: limit('session', config.limits.session),
      failures: limit('failures', config.limits.failures),
      'sign-in': limit('sign-in', config.limits.signIn),
      'sign-in-network': limit('sign-in-network', 3 * config.limits.signIn),
      'sign-in-person': limit('sign-in-person', 6 * config.limits.signIn),
      'sign-in-link': limit('sign-in-link', links, LINK_WINDOW_SECONDS),
      'sign-in-link-network': limit('sign-in-link-network', 4 * links, LINK_WINDOW_SECONDS),
      'sign-in-link-person': limit('sign-in-link-person', 2 * links, LINK_WINDOW_SECONDS),
      'sign-in-code': limit('sign-in-code', TRIES_OF_A_CODE, LINK_WINDOW_SECONDS),
      invitation: limit('invitation', INVITATION_MAILS, INVITATION_WINDOW_SECONDS),
      'test-mail': limit('test-mail', TEST_MAILS, TEST_WINDOW_SECONDS),
      'report-mail': limit('report-mail', INVITATION_MAILS, INVITATION_WINDOW_SECONDS),
      canary: limit('canary', TEST_MAILS, TEST_WINDOW_SECONDS),
      'weekly-mail': limit('weekly-mail', INVITATION_MAILS, INVITATION_WINDOW_SECONDS),
    };
  }

  /**
   * Counts what one caller does.
   * @param key of the caller: a network as `networkOf` returns it, an id, or the hash of an email address
   * @param response that carries the RateLimit headers
   * @throws RateLimited
   */
  admit(name: LimitName, key: Key, response?: LimitedResponse) {
    const limit = this.limits[name];
    if (limit.isOff) return;
    const { refused, remaining, secondsLeft } = limit.consume(key, this.clock.now().getTime());
    if (response && (refused || SHOWN.has(name))) {
      response.setHeader('RateLimit-Policy', limit.policy);
      response.setHeader('RateLimit', `"${name}";r=${remaining};t=${secondsLeft}`);
    }
    if (!refused) return;
    this.warn(`Requests are refused by the limit "${name}"`, {
      // All visitors share the address of a proxy that is not trusted.
      ...(name === 'address' &&
        response &&
        'x-forwarded-for' in response.req.headers &&
        this.config.http.trustProxy === 'off' && { hint: 'They come through a proxy: set TRUST_PROXY' }),
    });
    throw new RateLimited(name, secondsLeft);
  }

  /**
   * Counts a request without a valid token. Only further ones without are refused: people with a valid token
   * may share the address with somebody who guesses.
   * @throws RateLimited
   */
  countFailedAuth(request: IncomingMessage, response: LimitedResponse) {
    this.admit('failures', networkOf(addressOf(request, this.config)), response);
  }

  /**
   * Counts an attempt to sign in, or a request for a mail to sign in with, before it is known whether anybody has the
   * address. Nobody is locked out: counts begin anew with each window, and attempts of strangers do not count against an
   * address from which the person signed in before.
   * @param address of the network that it comes from
   * @param email that is tried or written to; kept as a hash for a window
   * @param isKnown whether the person signed in from there before
   * @throws RateLimited
   */
  admitSignIn(way: SignInTry, address: string, email: string, isKnown: boolean) {
    const network = networkOf(address);
    const person = createHash('sha256').update(email).digest('base64');
    this.admit(`${way}-network`, network);
    this.admit(way, `${network} ${person}`);
    if (!isKnown) this.admit(`${way}-person`, person);
  }

  /**
   * Counts a sign-in that begins at a provider.
   * @param address of the network that it comes from
   * @throws RateLimited
   */
  admitDeparture(address: string) {
    this.admit('sign-in-network', networkOf(address));
  }

  /**
   * Counts an invitation before it is mailed.
   * @param email that it goes to; kept as a hash for an hour
   * @throws RateLimited
   */
  admitInvitation(email: string) {
    this.admit('invitation', createHash('sha256').update(email.toLowerCase()).digest('base64'));
  }

  /** Adds a chunk to the shared store in the background: no request waits for it or fails with it. */
  private sync({ name, key, requests, windowEndsAt, onSynced }: PendingSync): boolean {
    if (this.syncing >= MAX_SYNCS || !this.shared.isShared()) return false;
    this.syncing++;
    const id = createHash('sha256').update(`${name} ${key} ${windowEndsAt}`).digest();
    const sum = this.shared.add(id.subarray(0, DIGEST_BYTES), requests, new Date(windowEndsAt));
    withTimeout(sum)
      .then(onSynced)
      .catch((error: unknown) => {
        this.warn('Limits are not shared with other instances at the moment', { error });
      })
      .finally(() => this.syncing--);
    return true;
  }

  private warn(message: string, details: object) {
    const now = performance.now();
    if (now - (this.warnedAt.get(message) ?? -Infinity) < WINDOW_SECONDS * 1_000) return;
    this.warnedAt.set(message, now);
    this.logger.warn(message, details);
  }
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('No answer in time'));
    }, SYNC_TIMEOUT_MS);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/**
 * Length of a window in seconds where a limit names no other; windows follow the clock, so that all
 * instances have the same.
 */
const WINDOW_SECONDS = 60;
/** Most keys that are counted at a time; beyond it the oldest are removed. About 20 MB. */
const KEYS_MAX = 100_000;
/**
 * Divides a quota into the chunks that an instance counts before it syncs. Each instance may let that part
 * of the quota through too much; with smaller chunks the store is asked more often (decision 0027).
 */
const SYNC_FRACTION = 10;

/** Identifies a caller: a network, or the id of a form or a token. */
export type Key = string | number;

/** The state of a caller's limit after a request. */
export interface LimitState {
  /** Tells whether the request exceeds the limit. */
  refused: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Seconds until the next window. */
  secondsLeft: number;
}

/** A count not yet added to the shared store. */
export interface PendingSync {
  name: string;
  key: Key;
  requests: number;
  windowEndsAt: number;
  /** Called with the sum of all instances. */
  onSynced: (sum: number) => void;
}

interface Count {
  /** Requests of all instances, as far as this one knows. */
  total: number;
  /** Requests of this instance that are not in the shared store. */
  pending: number;
}

/**
 * Counts requests by key, in memory and without waiting. Counts are added to the shared store in chunks of a
 * tenth of the quota, so callers far from it cost only a look into a map.
 */
export class RateLimit {
  private counts = new Map<Key, Count>();
  private windowEndsAt = 0;
  private readonly windowMs: number;
  private readonly chunk: number;
  /** Value of the `RateLimit-Policy` header. */
  readonly policy: string;

  /**
   * @param name as headers show it
   * @param quota requests of one key in a window; 0 allows all
   * @param sync adds a chunk to the shared store; returns false when that is not possible now
   * @param windowSeconds length of a window
   */
  constructor(
    private readonly name: string,
    private readonly quota: number,
    private readonly sync: (pending: PendingSync) => boolean = () => false,
    windowSeconds = WINDOW_SECONDS,
  ) {
    this.windowMs = windowSeconds * 1_000;
    this.chunk = Math.ceil(quota / SYNC_FRACTION);
    this.policy = `"${name}";q=${quota};w=${windowSeconds}`;
  }

  get isOff() {
    return this.quota === 0;
  }

  /** Returns the number of keys that are counted now. */
  get size() {
    return this.counts.size;
  }

  /**
   * Counts one request. A refused request is not counted.
   * @param now in milliseconds since the epoch
   */
  consume(key: Key, now: number): LimitState {
    // A window that ends later than a window lasts is left from before the clock was set back.
    const msLeft = this.windowEndsAt - now;
    if (msLeft <= 0 || msLeft > this.windowMs) this.beginWindow(now);
    const count = this.counts.get(key) ?? this.begin(key);
    const refused = count.total >= this.quota;
    if (!refused) {
      count.total++;
      count.pending++;
      if (count.pending >= this.chunk) this.pass(key, count);
    }
    return { refused, remaining: this.quota - count.total, secondsLeft: Math.ceil((this.windowEndsAt - now) / 1_000) };
  }

  /** Begins a window; all earlier counts are removed. */
  private beginWindow(now: number) {
    this.windowEndsAt = (Math.floor(now / this.windowMs) + 1) * this.windowMs;
    this.counts = new Map();
  }

  private begin(key: Key): Count {
    if (this.counts.size >= KEYS_MAX) {
      for (const [oldest] of this.counts) {
        this.counts.delete(oldest);
        break;
      }
    }
    const count = { total: 0, pending: 0 };
    this.counts.set(key, count);
    return count;
  }

  private pass(key: Key, count: Count) {
    const requests = count.pending;
    const onSynced = (sum: number) => {
      count.total = Math.min(Math.max(count.total, sum + count.pending), this.quota);
    };
    const { windowEndsAt } = this;
    if (this.sync({ name: this.name, key, requests, windowEndsAt, onSynced })) count.pending -= requests;
  }
}
