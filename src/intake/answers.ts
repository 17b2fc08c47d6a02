import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesHtml } from '../http/names-html.js';
import type { DomainError } from '../shared/errors.js';
import type { Pages } from '../pages/pages.js';

/**
 * What a client is told after a submission was stored. One body pleases the clients of all the form
 * services: each reads its own key. There is no `errors` key, since some take even an empty one for
 * a failure.
 */
export interface Success {
  success: true;
  ok: true;
  status: 'success';
  code: 200;
  message: string;
  submission_text: string;
  /** Where a browser goes from here. */
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

/** Browsers are sent on by 303, so that reload and back do not send the form again; never a script. */
export function sendSuccess(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): void {
  if (!namesHtml(request.headers.accept)) {
    send(response, 200, 'application/json; charset=utf-8', body);
    return;
  }
  const { next } = JSON.parse(body) as Success;
  // WHATWG serialisation is ASCII without control characters: nothing can be added to the header.
  response.setHeader('Location', new URL(next).href);
  send(response, 303, 'text/plain; charset=utf-8', '');
}

export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: Pick<DomainError, 'code' | 'message' | 'fields'>,
  pages: Pages,
): void {
  if (namesHtml(request.headers.accept)) {
    const page = pages.failure(error.message);
    response.setHeader('Content-Security-Policy', page.policy);
    send(response, status, 'text/html; charset=utf-8', page.html);
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
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
