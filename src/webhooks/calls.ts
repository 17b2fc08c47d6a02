import { Injectable } from '@nestjs/common';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import {
  GuardedHttpClient,
  isForbidden,
  USER_AGENT,
  type Reply,
} from '../platform/http-client/guarded-http-client.js';

const GONE = 410;
const REDIRECTS = [302, 303];

/** A POST that is to be made. */
export interface Call {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** A host, besides its own, that may send us for the answer of what was done; absent: no redirect is followed. */
  followsTo?: string;
}

/** Makes calls and returns how they ended. */
@Injectable()
export class Calls {
  constructor(private readonly http: GuardedHttpClient) {}

  /** Posts. Does not throw: an error becomes a result. */
  async make({ url, headers, body, followsTo }: Call, now: Date, signal: AbortSignal) {
    const sent = { 'user-agent': USER_AGENT, ...headers };
    try {
      const reply = await this.http.post(url, sent, body, signal);
      const next = followsTo === undefined ? null : nextOf(reply, url, followsTo);
      if (next === null) return fromReply(reply, now);
      const answer = await this.http.read(next, { 'user-agent': USER_AGENT }, signal);
      return fromReply(answer, now);
    } catch (error) {
      return fromError(error);
    }
  }
}

/** Returns where the answer is to be fetched; null for a response that is the answer, or leads elsewhere. */
function nextOf({ status, headers }: Reply, url: string, followsTo: string): string | null {
  const { location } = headers;
  if (!REDIRECTS.includes(status) || typeof location !== 'string') return null;
  if (!URL.canParse(location, url)) return null;
  const next = new URL(location, url);
  const isOwn = next.origin === new URL(url).origin;
  return isOwn || (next.protocol === 'https:' && next.host === followsTo) ? next.href : null;
}

/**
 * Returns the result of a response. Only 2xx is success; a redirect is not followed and counts as a failure
 * (Standard Webhooks 1.0.0).
 */
function fromReply({ status, headers, body }: Reply, now: Date): AttemptResult {
  const reply = { code: status, answer: body };
  if (status >= 200 && status < 300) return { ...attemptResult('delivered', 'accepted'), ...reply };
  if (status === GONE) return { ...attemptResult('refused', 'gone'), ...reply };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return { ...attemptResult('deferred', 'refused'), ...reply, retryAfterMs };
}

function fromError(error: unknown): AttemptResult {
  const { code, message, name } = error as Error & { code?: unknown };
  if (isForbidden(error)) return attemptResult('refused', 'forbidden_address', message);
  // A DOMException has a code too: a number without meaning here.
  const word = typeof code === 'string' ? code : '';
  const late = name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(word);
  return attemptResult(
    'deferred',
    late ? 'timed_out' : 'unreachable',
    word === '' ? message : word,
  );
}

/** Reads Retry-After: seconds or a date (RFC 9110, section 10.2.3). Returns milliseconds. */
function readRetryAfter(header: string | string[] | undefined, now: Date): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0);
}
