import { attemptResult, type AttemptResult } from '../../deliveries/model/outcome.js';
import { basicOf, splitLogin } from '../../forms/model/form-values.js';
import { cutAt, type GuardedHttpClient, isForbidden, USER_AGENT, type Reply, parseUrl } from '../../platform/index.js';

const GONE = 410;
/** Redirects to an answer, and all. */
const TO_ANSWER = [302, 303];
const REDIRECTS = [301, ...TO_ANSWER, 307, 308];
/** Longest target of a redirect that is shown, in characters. */
const TARGET_MAX = 300;

/** A POST that is to be made. */
export interface Call {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** A host, besides its own, that may send us for the answer of what was done; absent: no redirect is followed. */
  followsTo?: string;
}

/**
 * Makes a call and returns how it ended, with the user and password of the address unless a header says who calls. Does not
 * throw: an error becomes a result.
 */
export async function makeCall(
  http: GuardedHttpClient,
  { url, headers, body, followsTo }: Call,
  now: Date,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { url: to, login } = splitLogin(url);
  const sent = { 'user-agent': USER_AGENT, ...(login !== null && { authorization: basicOf(login) }), ...headers };
  try {
    const reply = await http.post(to, sent, body, signal);
    const next = followsTo === undefined ? null : nextOf(reply, to, followsTo);
    if (next === null) return fromReply(reply, now);
    return fromReply(await http.read(next, { 'user-agent': USER_AGENT }, signal), now);
  } catch (error) {
    return fromError(error);
  }
}

/** Returns where the answer is to be fetched; null for a response that is the answer, or leads elsewhere. */
function nextOf({ status, headers }: Reply, url: string, followsTo: string) {
  const { location } = headers;
  if (!TO_ANSWER.includes(status) || typeof location !== 'string') return null;
  const next = parseUrl(location, url);
  if (!next) return null;
  const isOwn = next.origin === new URL(url).origin;
  return isOwn || (next.protocol === 'https:' && next.host === followsTo) ? next.href : null;
}

/**
 * Returns the result of a response. Only 2xx is success; a redirect is not followed and counts as a failure
 * (Standard Webhooks 1.0.0).
 */
function fromReply({ status, headers, body }: Reply, now: Date): AttemptResult {
  const target = REDIRECTS.includes(status) ? targetIn(headers.location) : null;
  const answer = target === null ? body : `${status}, moved to ${target}`;
  const reply = { code: status, answer };
  if (status >= 200 && status < 300) return { ...attemptResult('delivered', 'accepted'), ...reply };
  if (status === GONE) return { ...attemptResult('refused', 'gone'), ...reply };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return { ...attemptResult('deferred', 'refused'), ...reply, retryAfterMs };
}

/** Returns where a redirect leads, as its receiver wrote it, without what may be secret in it: query, user and password. */
function targetIn(location: string | string[] | undefined) {
  const [written = ''] = [location].flat();
  const [target = ''] = written.split(/[?#]/);
  const shown = target.replace(/^([a-z]+:)?\/\/[^/]*@/i, (_, scheme = '') => `${String(scheme)}//`);
  return shown === '' ? null : cutAt(shown, TARGET_MAX);
}

function fromError(error: unknown) {
  const { code, message, name } = error as Error & { code?: unknown };
  if (isForbidden(error)) return attemptResult('refused', 'forbidden_address', message);
  // A DOMException has a code too: a number without meaning here.
  const word = typeof code === 'string' ? code : '';
  const late = name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(word);
  return attemptResult('deferred', late ? 'timed_out' : 'unreachable', word === '' ? message : word);
}

/** Reads Retry-After: seconds or a date (RFC 9110, section 10.2.3). Returns milliseconds. */
function readRetryAfter(header: string | string[] | undefined, now: Date) {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0);
}
