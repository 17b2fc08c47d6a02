import type { Response } from 'express';
import type { HtmlPage } from './layout.js';

/** Sends a page under its own policy. Any site may frame it, and no cache may keep it. */
export function sendPage(response: Response, { html, policy }: HtmlPage): void {
  response.removeHeader('X-Frame-Options');
  response.set('Content-Security-Policy', policy);
  response.set('Cache-Control', 'no-store');
  response.type('html').send(html);
}
