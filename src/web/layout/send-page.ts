import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/**
 * Content-Security-Policy of the pages: their own files and forms, and nothing else. Browsers apply
 * `form-action` to redirects after a form too. `data:` images are QR codes.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Content-Security-Policy of what a page of ours frames: nothing runs, is sent or leads anywhere. The styles are
 * those that mails bring; the origin stays, so that the style sheet of the pages is taken.
 */
const FRAMED_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin',
].join('; ');

/** Status of a page that is shown again because something typed cannot be taken. */
export const UNPROCESSABLE = 422;

/** Caching of a page that shows a secret: its length when compressed would tell of it. */
export const SECRET = 'no-store, no-transform';

/** Returns a page as the text of an HTML document. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/**
 * Sends a page that no cache may keep and no other site may frame. Other sites get no referrer. Ours does: without one
 * browsers send `Origin: null` with the forms of a page, which is all that tells over plain http that they are ours.
 */
export function sendPage(
  response: Response,
  page: VNode,
  status = 200,
  caching = 'no-store',
): void {
  response.set({
    'Content-Security-Policy': POLICY,
    'Cache-Control': caching,
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  });
  response.status(status).type('html').send(renderPage(page));
}

/** Sends a document of ours that only a page of this service may frame, and no cache may keep. */
export function sendFramed(response: Response, page: VNode, status = 200): void {
  sendInFrame(response.status(status), renderPage(page), FRAMED_POLICY);
}

/**
 * Sends a page of visitors as a frame of ours shows it.
 * @param policy the page's own; both hold
 */
export function sendFramedText(response: Response, html: string, policy: string): void {
  sendInFrame(response, html, [policy, "frame-ancestors 'self'; sandbox allow-same-origin"]);
}

function sendInFrame(response: Response, html: string, policy: string | string[]): void {
  response.set({
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
  });
  response.type('html').send(html);
}
