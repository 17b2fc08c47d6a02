import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainError } from '../../platform/kernel/errors.js';
import type { Pages } from '../../visitor-pages/pages.js';
import { readableBy } from './response-headers.js';
import { readerOf } from './response-reader.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const PREFLIGHT_MAX_AGE_SECONDS = String(24 * 60 * 60);

/**
 * The response after a submission was stored. Its keys suit the client scripts of several form services: each
 * reads its own. There is no `errors` key, since some scripts take even an empty one for a failure.
 */
export interface Success {
  success: true;
  ok: true;
  status: 'success';
  code: 200;
  message: string;
  submission_text: string;
  /** Where a browser is redirected to. */
  next: string;
  /** The form's `redirect_url`. */
  redirect: string | null;
  id: string;
}

export function successBody(
  text: string,
  next: string,
  redirect: string | null,
  id: string,
): Success {
  return {
    success: true,
    ok: true,
    status: 'success',
    code: 200,
    message: text,
    submission_text: text,
    next,
    redirect,
    id,
  };
}

/**
 * Writes the response to a request of the intake. Headers are collected and written together: setting each
 * would cost as much as reading the form.
 */
export class IntakeResponse {
  private readonly headers: string[];

  /** @param headers names and values in turn; part of every response */
  constructor(
    readonly req: IncomingMessage,
    private readonly response: ServerResponse,
    headers: readonly string[],
  ) {
    this.headers = [...headers, ...readableBy(req.headers.origin)];
  }

  setHeader(name: string, value: string): void {
    const at = this.headers.indexOf(name);
    if (at < 0) this.headers.push(name, value);
    else this.headers[at + 1] = value;
  }

  /** Returns the status of the response; null until it was sent. */
  get status(): number | null {
    return this.response.headersSent ? this.response.statusCode : null;
  }

  /** Browsers are sent on by 303, so that reload and back do not send the form again; never a script. */
  succeed(success: Success, pages: Pages): void {
    const reader = readerOf(this.req);
    if (reader === 'htmx') {
      this.send(200, HTML_TYPE, pages.fragment(success.message));
      return;
    }
    if (reader === 'script') {
      this.send(200, JSON_TYPE, JSON.stringify(success));
      return;
    }
    // A serialised URL is ASCII without control characters (URL Standard), so it cannot add a header.
    this.setHeader('Location', new URL(success.next).href);
    this.send(303, 'text/plain; charset=utf-8', '');
  }

  fail(
    status: number,
    error: Pick<DomainError, 'code' | 'message' | 'fields'>,
    pages: Pages,
  ): void {
    if (this.response.destroyed) return;
    const reader = readerOf(this.req);
    if (reader === 'htmx') {
      this.send(status, HTML_TYPE, pages.fragment(error.message));
      return;
    }
    if (reader === 'browser') {
      const page = pages.failure(error.message);
      this.setHeader('Content-Security-Policy', page.policy);
      this.send(status, HTML_TYPE, page.html);
      return;
    }
    const { code, message, fields } = error;
    const errors = fields.length > 0 ? fields : [{ field: null, code, message }];
    const body = {
      success: false,
      ok: false,
      status: 'error',
      code: status,
      message,
      error: message,
      errors: errors.map((entry) => ({ ...entry, code: entry.code.toUpperCase() })),
    };
    this.send(status, JSON_TYPE, JSON.stringify(body));
  }

  /** Answers the preflight request of a browser whose page is of another origin. */
  allow(): void {
    const asked = this.req.headers['access-control-request-headers'];
    this.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
    this.setHeader('Access-Control-Allow-Headers', asked ?? '*');
    this.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
    this.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
    this.end(204);
  }

  private send(status: number, type: string, body: string): void {
    const length = String(Buffer.byteLength(body));
    this.headers.push('Content-Type', type, 'Content-Length', length, 'Cache-Control', 'no-store');
    this.end(status, body);
  }

  private end(status: number, body?: string): void {
    this.response.writeHead(status, this.headers);
    this.response.end(body);
  }
}
