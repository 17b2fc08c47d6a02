import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalSite } from './local-server.js';
import { where } from './where.js';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of an installed Chromium, or null. */
export const chromium = PROGRAMS.find((path) => existsSync(path)) ?? null;

/** Run tests in a browser, where one is installed. */
export const { describe: inBrowser, it: itInBrowser } = where(chromium !== null, 'no Chromium');

/** Serves the pages of somebody else's web site, by path. */
export class Site extends LocalSite {
  private readonly pages = new Map<string, { html: string; policy: string | null }>();

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    const page = this.pages.get(request.url ?? '');
    if (page?.policy) response.setHeader('Content-Security-Policy', page.policy);
    response.end(`<!doctype html>${page?.html ?? ''}`);
  }

  /**
   * @param policy for its Content-Security-Policy; null: none
   * @returns the address of the page
   */
  put(path: string, html: string, policy: string | null = null): string {
    this.pages.set(path, { html, policy });
    return this.origin + path;
  }
}

/** Serves the pages of a site of its own to the tests of a file. */
export function useSite(): () => Site {
  const site = new Site();
  beforeAll(() => site.listen());
  afterAll(() => site.close());
  return () => site;
}
