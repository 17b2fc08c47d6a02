import { Injectable } from '@nestjs/common';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import {
  GuardedHttpClient,
  isForbidden,
  USER_AGENT,
  type Reply,
} from '../platform/http-client/guarded-http-client.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import type { FormWebhook } from './form-webhook.entity.js';
import { FORMATS } from './formats/formats.js';
import { signatureHeaders } from './signatures/signatures.js';

const GONE = 410;

/** Names the submission of a call, and the call itself. */
export interface About {
  /** Identifies the delivery for the receiver. */
  id: string;
  full: SubmissionInFull;
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
}

/** Makes one webhook call and returns how it ended. */
@Injectable()
export class WebhookCaller {
  constructor(private readonly http: GuardedHttpClient) {}

  /**
   * Posts a submission to a URL, as its webhook says. Does not throw: an error becomes a result.
   */
  async call(
    url: string,
    webhook: FormWebhook,
    { id, full, fileLinks }: About,
    now: Date,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const {
      text: body,
      contentType,
      headers: ofFormat,
    } = FORMATS[webhook.format](full, { fileLinks });
    const headers = {
      'user-agent': USER_AGENT,
      ...ofFormat,
      'content-type': contentType,
      ...signatureHeaders(webhook.signature, id, now, body, webhook.secretsAt(now)),
    };
    try {
      return fromReply(await this.http.post(url, headers, body, signal), now);
    } catch (error) {
      return fromError(error);
    }
  }
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
