import { source as axeSource } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { chromium as program } from './browser.js';

/** All that a first page may weigh over the wire, in bytes. */
const PAGE_MAX_BYTES = 50 * 1024;
const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A way to look at a page. */
export interface View {
  script: boolean;
  scheme: 'light' | 'dark';
  width: number;
}

/** Every way in which each page has to hold. */
export const VIEWS: View[] = [true, false].flatMap((script) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [390, 1280].map((width) => ({ script, scheme, width })),
  ),
);

/** Starts the browser that all tests of a file share. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: program ?? '', args: OPTIONS });
}

/** A window that remembers everything a page did which pages must not do. */
export class Window {
  /** Refusals of the policy, errors of scripts, requests to elsewhere. */
  readonly complaints: string[] = [];
  private readonly bytes = new Map<string, number>();

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly view: View,
  ) {}

  /** @param cookies of somebody who is signed in */
  static async open(
    browser: Browser,
    origin: string,
    view: View,
    cookies: Map<string, string>,
  ): Promise<Window> {
    const { script, scheme, width } = view;
    const context = await browser.newContext({
      javaScriptEnabled: script,
      colorScheme: scheme,
      viewport: { width, height: 800 },
    });
    await context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: origin, httpOnly: true })),
    );
    const page = await context.newPage();
    const window = new Window(page, context, view);
    page.on('console', (message) => {
      if (message.type() !== 'debug' && message.type() !== 'info') {
        window.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => window.complaints.push(String(error)));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin) window.complaints.push(`asked ${url.href}`);
    });
    page.on('response', (response) => {
      const size = response.headers()['content-length'] ?? '0';
      window.bytes.set(response.url(), Number(size));
    });
    return window;
  }

  /** What was wrong with the page that is open, in words; empty when all is well. */
  async findings(): Promise<string[]> {
    const weight = [...this.bytes.values()].reduce((sum, size) => sum + size, 0);
    return [
      ...this.complaints,
      ...(weight > PAGE_MAX_BYTES ? [`weighs ${weight} bytes`] : []),
      ...(await this.tooWide()),
      // Without script its timers never end; the elements are the same.
      ...(this.view.script ? await this.inaccessible() : []),
    ];
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Nobody scrolls sideways. */
  private async tooWide(): Promise<string[]> {
    const by = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    return by > 0 ? [`is ${by} px too wide`] : [];
  }

  /** Evaluated by the debugger: the policy of the page would refuse a script of ours. */
  private async inaccessible(): Promise<string[]> {
    const session = await this.context.newCDPSession(this.page);
    await session.send('Runtime.evaluate', { expression: axeSource });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
      awaitPromise: true,
      returnByValue: true,
    });
    await session.detach();
    return result.value as string[];
  }
}
