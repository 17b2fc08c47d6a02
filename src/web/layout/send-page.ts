import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/**
 * What a page may do: its own files and forms, and nothing else. Redirects that follow a form are
 * held to `form-action` too. `data:` images are QR codes.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns a page as the text of an HTML document. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** Sends a page that is for one person at one moment, and that no other site may frame. */
export function sendPage(response: Response, page: VNode, status = 200): void {
  response.set({
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  response.status(status).type('html').send(renderPage(page));
}
