import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromium as program } from './browser.js';
import { Browser as Person } from './people.js';
import type { Service } from './service.js';

/** The largest sizes over the wire, in bytes: all that a first page loads, and its parts. */
const PAGE_MAX_BYTES = 45 * 1024;
const SCRIPTS_MAX_BYTES = 14 * 1024;
const STYLES_MAX_BYTES = 13 * 1024;
/** Widths of a window of 1280 px at 200 % zoom, and at 400 % (WCAG 1.4.10), in CSS pixels, by the width of a view. */
const ZOOMED_PX = { 1280: 640, 390: 320 } as const;
const HEIGHT_PX = 800;
/** Only what breaks a rule is collected: pages are long. What is pressed has to be large enough too. */
const AXE_OPTIONS =
  "{ resultTypes: ['violations'], preload: false, selectors: false, rules: { 'target-size': { enabled: true } } }";
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
  /** In CSS pixels. */
  width: 390 | 1280;
}

/** Every combination of script, scheme and width. */
export const EVERY_VIEW: View[] = [true, false].flatMap((script) =>
  (['light', 'dark'] as const).flatMap((scheme) => ([390, 1280] as const).map((width) => ({ script, scheme, width }))),
);

/** Four views in which each pair of values occurs: script and scheme, script and width, scheme and width. */
export const PAIRWISE_VIEWS: View[] = [
  { script: true, scheme: 'light', width: 1280 },
  { script: true, scheme: 'dark', width: 390 },
  { script: false, scheme: 'light', width: 390 },
  { script: false, scheme: 'dark', width: 1280 },
];

/**
 * Starts a browser before the tests of a file, where one is installed, closes what each test opened in it, and ends it after
 * them. Call it before `useService`: the end of the service waits for connections of the browser.
 */
export function useBrowser(more: string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const args = [...OPTIONS, ...more];
    if (program) browser = await chromium.launch({ executablePath: program, args });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('There is no browser.');
    return browser;
  };
}

/** Sizes of a loaded page, as the browser measured them. */
interface Loaded {
  /** Bytes over the wire by address. */
  sizes: [url: string, bytes: number][];
  /** Elements that end beyond the right edge, when the page can be scrolled there. */
  beyond: string[];
  /** Elements that move though nothing is to. */
  moving: string[];
}

/** Shows pages to one person in one view, and finds what pages must not do. */
export class Viewer {
  private complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
    private readonly view: View,
  ) {}

  /** @param cookies of somebody who is signed in */
  static async open(
    browser: Browser,
    origin: string,
    view: View,
    cookies: Map<string, string> = new Map<string, string>(),
  ): Promise<Viewer> {
    const { script, scheme, width } = view;
    const context = await browser.newContext({
      javaScriptEnabled: script,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      viewport: { width, height: HEIGHT_PX },
    });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin, httpOnly: true })));
    const page = await context.newPage();
    const viewer = new Viewer(page, origin, view);
    page.on('console', (message) => {
      const ofPage = message.location().url === page.url() && / status of 4\d\d /.test(message.text());
      if (/error|warning/.test(message.type()) && !ofPage) viewer.complaints.push(message.text());
    });
    page.on('pageerror', (error) => viewer.complaints.push(String(error)));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin) viewer.complaints.push(`asks ${url.href}`);
    });
    page.on('response', (response) => {
      const ofPage = response.request().isNavigationRequest();
      if (!ofPage && response.status() >= 400) viewer.complaints.push(`misses ${response.url()}`);
    });
    return viewer;
  }

  /**
   * Opens a page.
   * @param rules whether axe-core looks at it too; it needs script
   * @returns its status, and what is wrong with it in words; empty when all is well
   */
  async look(path: string, rules: boolean): Promise<{ status: number; findings: string[] }> {
    this.complaints = [];
    const answer = await this.page.goto(this.origin + path);
    const loaded = await this.page.evaluate(load);
    const findings = [...this.complaints, ...tooLarge(loaded.sizes), ...tooWide(loaded, '')];
    if (loaded.moving.length > 0) findings.push(`moves: ${loaded.moving.join(' ')}`);
    if (this.view.script) findings.push(...(await this.zoom()));
    if (rules && this.view.script) findings.push(...(await breachesOf(this.page)));
    return { status: answer?.status() ?? 0, findings };
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** Looks at the open page as somebody who needs large letters. */
  private async zoom(): Promise<string[]> {
    const width = ZOOMED_PX[this.view.width];
    await this.page.setViewportSize({ width, height: HEIGHT_PX });
    const loaded = await this.page.evaluate(load);
    await this.page.setViewportSize({ width: this.view.width, height: HEIGHT_PX });
    return tooWide(loaded, ` at ${width} px`);
  }
}

/** Runs in the page: returns the sizes of all that it loaded, and what is too wide. */
function load(): Loaded {
  const { documentElement: root } = document;
  const isTooWide = root.scrollWidth > root.clientWidth;
  const inside = [...document.body.querySelectorAll('*')];
  const entries = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ] as PerformanceResourceTiming[];
  return {
    sizes: entries.map(({ name, encodedBodySize }) => [name, encodedBodySize]),
    beyond: inside
      .filter((each) => isTooWide && each.getBoundingClientRect().right > root.clientWidth)
      .map((each) => each.outerHTML.slice(0, 80)),
    moving: inside
      .filter((each) => {
        const { animationName, transitionDuration } = getComputedStyle(each);
        return animationName !== 'none' || /[1-9]/.test(transitionDuration);
      })
      .map((each) => each.outerHTML.slice(0, 80)),
  };
}

function tooWide(loaded: Loaded, where: string): string[] {
  const { beyond } = loaded;
  return beyond.length > 0 ? [`is too wide${where}: ${beyond.join(' ')}`] : [];
}

function tooLarge(sizes: Loaded['sizes']): string[] {
  const sum = (wanted: RegExp) => sizes.reduce((all, [url, bytes]) => all + (wanted.test(url) ? bytes : 0), 0);
  const parts: [string, number, number][] = [
    ['page', sum(/./), PAGE_MAX_BYTES],
    ['script', sum(/\.js$/), SCRIPTS_MAX_BYTES],
    ['style', sum(/\.css$/), STYLES_MAX_BYTES],
  ];
  const found = parts.flatMap(([name, bytes, max]) => (bytes > max ? [`has ${bytes} bytes of ${name}`] : []));
  return sum(/\.css$/) === 0 ? [...found, 'has no style'] : found;
}

/** Returns what a page shuts somebody out by: the rules of axe-core that it breaks. */
export async function breachesOf(page: Page): Promise<string[]> {
  // By the debugger: the policy of the page refuses every other script.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, ${AXE_OPTIONS}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[];
}

/** Notes what the browser complains about from now on. */
export function complaintsOf(page: Page, kinds = /error/): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (kinds.test(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
}

/**
 * Opens a page as a visitor without history, and waits until it, or the page that it leads to, shows some HTML.
 * @returns all of that page, and what the browser said about any
 */
export async function visit(
  browser: Browser,
  url: string,
  shown: string,
): Promise<{ dom: string; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints = complaintsOf(page, /./);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction((html) => document.documentElement.outerHTML.includes(html), shown);
  return { dom: await page.content(), complaints };
}

/** Opens a page in a browser of its own, as somebody who is signed in. */
export async function openPage(
  browser: Browser,
  service: Service,
  { email }: { email: string },
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const person = new Person(service);
  await person.signIn(email);
  const context = await browser.newContext(options);
  const { url } = service;
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })));
  const page = await context.newPage();
  await page.goto(url + path);
  return page;
}
