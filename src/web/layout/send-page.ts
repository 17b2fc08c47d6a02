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

/** Caching of a page that shows a secret: its length when compressed would tell of it. */
export const SECRET = 'no-store, no-transform';

/** Returns a page as the text of an HTML document. */
export function renderPage(page: VNode) {
  return `<!doctype html>${renderToString(page)}`;
}

/** Sends a page that stands outside the frame of a person. */
export function sendPage(response: Response, page: VNode, status: number) {
  setPageHeaders(response, status);
  response.send(renderPage(page));
}

/**
 * Prepares the response to a page that no cache may keep and no other site may frame. Other sites get no referrer. Ours
 * does: without one browsers send `Origin: null` with the forms of a page, which is all that tells over plain http that
 * they are ours.
 */
export function setPageHeaders(response: Response, status: number, caching = 'no-store') {
  response.set({
    'Content-Security-Policy': POLICY,
    'Cache-Control': caching,
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  });
  response.status(status).type('html');
}

/**
 * Prepares the response to a document that only a page of this service may frame, and no cache may keep.
 * @param policy that of a page of visitors, which holds too; by default what such a document of ours needs
 */
export function setFrameHeaders(response: Response, status = 200, policy?: string) {
  const policies = policy === undefined ? FRAMED_POLICY : [policy, "frame-ancestors 'self'; sandbox allow-same-origin"];
  response.set({
    'Content-Security-Policy': policies,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
  });
  response.status(status).type('html');
}
