import { readdirSync } from 'node:fs';
import type { ApiDocument } from '../../src/docs/api-document.js';
import { itInBrowser } from '../support/browser.js';
import { breachesOf, useBrowser } from '../support/browser-pages.js';
import { useService } from '../support/service.js';

const GUIDES = new URL('../../docs/', import.meta.url);
/** All that a browser loads for the first page, in bytes before compression. */
const FIRST_PAGE_MAX = 60 * 1024;
const RESULTS_MAX = 20;

const browser = useBrowser();
const service = useService();
const get = (path: string) => service().anonymous().get(path);
const textOf = (path: string) => service().anonymous().download(path);
const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** Returns every page that the overview leads to, by its address. */
async function allPages(): Promise<Map<string, string>> {
  const first = await textOf('/docs');
  const paths = new Set(['/docs', ...matches(first, /href="(\/docs\/[\w/-]+)"/g)]);
  const pages = new Map<string, string>();
  for (const path of paths) pages.set(path, await textOf(path));
  return pages;
}

describe('The documentation', () => {
  it('has a page for each guide, and leads to it from the first one', async () => {
    const files = readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
    const guides = files.filter((file) => !file.startsWith('decisions')).map((file) => `/docs/${file.slice(0, -3)}`);

    const paths = [...(await allPages()).keys()];

    expect(guides.length).toBeGreaterThan(20);
    expect(paths).toEqual(expect.arrayContaining([...guides, '/docs/start', '/docs/reference/errors']));
  });

  it('has no link that leads nowhere: every address and anchor of every page is there', async () => {
    const pages = await allPages();

    const lost: string[] = [];
    for (const [path, text] of pages) {
      for (const link of matches(text, /(?:href|src)="((?:\/|#)[^"]*)"/g)) {
        const [page = '', anchor] = link.split('#');
        const target = page === '' ? text : pages.get(page);
        if (target === undefined) await get(page).expect(200);
        if (anchor !== undefined && !target?.includes(` id="${anchor}"`)) lost.push(`${link} in ${path}`);
      }
      const ids = matches(text, / id="([^"]+)"/g);
      expect({ path, ids: new Set(ids).size }).toEqual({ path, ids: ids.length });
    }
    expect(lost).toEqual([]);
    expect(pages.size).toBeGreaterThan(40);
  });

  it('shows every operation with its command, every object and every error', async () => {
    const document: ApiDocument = await service().anonymous().read('/api/openapi.json');
    const pages = [...(await allPages())].filter(([path]) => path.startsWith('/docs/reference'));
    const all = pages.map(([, text]) => text).join('');

    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `<p><code>${method.toUpperCase()} ${path}</code></p>`),
    );
    expect(operations.filter((one) => !all.includes(one))).toEqual([]);
    expect(all.match(/<code class="language-sh">curl &#39;/g)).toHaveLength(operations.length);
    const { schemas, responses } = document.components;
    const names = Object.keys(schemas).map((name) => `id="${name.toLowerCase()}"`);
    const codes = matches(JSON.stringify(responses), /problem:(\w+)"/g).map((code) => `id="${code}"`);
    expect([...names, ...codes].filter((id) => !all.includes(id))).toEqual([]);
  });

  it('comes from the service alone and small: no script, one style sheet that may be kept for ever', async () => {
    const text = await textOf('/docs');
    const [style = ''] = matches(text, /href="([^"]+\.css)"/g);

    const { text: css } = await get(style).expect('Cache-Control', 'public, max-age=31536000, immutable');

    expect(Buffer.byteLength(text + css)).toBeLessThanOrEqual(FIRST_PAGE_MAX);
    for (const page of (await allPages()).values()) expect(page).not.toMatch(/<script|<img|style="/);
    const { headers } = await get('/docs').expect(200);
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });

  it('is asked for again only when it changed, and answers 404 where there is no page', async () => {
    for (const path of ['/docs', '/docs/api/tokens', '/docs/api/tokens.md', '/llms.txt']) {
      const { headers } = await get(path).expect(200);
      await get(path)
        .set('If-None-Match', headers.etag ?? '')
        .expect(304);
    }
    for (const path of ['/docs/nowhere', '/docs/nowhere.md', '/docs/decisions', '/docs/reference/nothing']) {
      await get(path).expect(404);
    }
  });

  itInBrowser('can be read by everyone, on a phone and in the dark', async () => {
    const page = await browser().newPage();
    for (const path of ['/docs', '/docs/settings', '/docs/reference/webhooks', '/docs?q=webhook', '/docs?q=xyzzyx']) {
      await page.goto(service().url + path);
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ path, width });
        for (const colorScheme of width === 320 ? [] : (['light', 'dark'] as const)) {
          await page.emulateMedia({ colorScheme });
          expect({ path, breaches: await breachesOf(page) }).toEqual({ path, breaches: [] });
        }
      }
    }
  });

  itInBrowser('has its pages in a menu on a phone', async () => {
    const page = await browser().newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${service().url}/docs/api/tokens`);

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).click();

    expect(new URL(page.url()).pathname).toBe('/docs/api/webhooks');
    expect(await page.locator('a[aria-current]').textContent()).toBe('Webhooks');
  });
});

describe('The documentation for programs', () => {
  it('is each page as Markdown, whose links lead to Markdown', async () => {
    for (const path of (await allPages()).keys()) {
      const page = await textOf(`${path}.md`);
      expect(page).toMatch(/^# \S/);
      const links = matches(page, /\]\((http[^)#]*\/docs[^)#]*)/g);
      expect(links.filter((link) => !link.endsWith('.md'))).toEqual([]);
      expect(matches(page.replace(/^```.*\n(?:(?!```).*\n)*```$/gm, ''), /\]\((?!https?:)([^)]*)/g)).toEqual([]);
    }
    await get('/docs/api/tokens.md').expect('Content-Type', 'text/markdown; charset=utf-8');
    expect(await textOf('/docs/api/tokens')).toContain(
      '<link rel="alternate" type="text/markdown" href="/docs/api/tokens.md"/>',
    );
  });

  it('is the same under the address of the page, for who asks for Markdown', async () => {
    const { text, headers } = await get('/docs/api/tokens').set('Accept', 'text/markdown').buffer(true);

    expect(text).toBe(await textOf('/docs/api/tokens.md'));
    expect(headers.vary).toContain('Accept,');
    await get('/docs/api/tokens').set('Accept', '*/*').expect('Content-Type', 'text/html; charset=utf-8');
  });

  it('is listed in llms.txt, with links that all lead somewhere', async () => {
    const list = await textOf('/llms.txt');

    const links = matches(list, /^- \[[^\]]+\]\(([^)]+)\): \S/gm);
    expect(list).toMatch(/^# Form Collection Service\n\n> .+\n\n## Start\n/);
    expect(links.length).toBe(list.split('\n').filter((line) => line.startsWith('-')).length);
    expect(links.length).toBeGreaterThan(40);
    for (const link of links) await get(link.replace(/^https?:\/\/[^/]+/, '')).expect(200);
  });

  it('is in llms-full.txt as one text', async () => {
    const all = await textOf('/llms-full.txt');

    for (const page of ['/docs/start.md', '/docs/api/webhooks.md']) expect(all).toContain(await textOf(page));
    expect(all).toContain('\n# Tokens\n\nSecrets that let their holder act');
    expect(all).not.toContain('\n# Objects\n');
  });
});

describe('The search of the documentation', () => {
  /** Returns the addresses that a question finds, best first. */
  async function find(question: string): Promise<string[]> {
    const text = await textOf(`/docs?q=${encodeURIComponent(question)}`);
    return matches(text, /<li><a href="([^"]+)">[^<]*<\/a><p>/g);
  }

  it.each([
    ['how do I verify the signature of a webhook', '/docs/api/webhooks#signature'],
    ['submissions of last week', '/docs/api/submissions#filter-line-unread-of-last-week-of-a-visitor'],
    ['scoped token', '/docs/api/tokens#rights'],
    ['why did no email arrive', '/docs/mail#does-it-arrive'],
    ['send a form with fetch', '/docs/api/intake#send-in-place'],
    ['upload files', '/docs/api/intake#request-bodies'],
    ['export to csv', '/docs/api/submissions#export'],
    ['block spam', '/docs/api/forms#block-and-allow'],
    ['redirect after submit', '/docs/api/intake#answers'],
    ['rate limit', '/docs/api/errors#rate-limits'],
    ['backup and restore', '/docs/operations#backups'],
    ['move from formspree', '/docs/api/moving'],
    ['custom domain of a client', '/docs/api/clients#custom-domain'],
    ['delete personal data of a visitor', '/docs/api/submissions#erase-a-person-delete-submissionsfieldemailvalue'],
    ['pagination', '/docs/api/submissions#list-get-submissions'],
    ['slack message on submission', '/docs/destinations#kinds'],
    ['idempotency key for retries', '/docs/api/intake#sending-twice'],
  ])('answers “%s” among the first three', async (question, address) => {
    expect((await find(question)).slice(0, 3)).toContain(address);
  });

  it('finds single words, operations and what is nearly right', async () => {
    expect((await find('signature'))[0]).toBe('/docs/api/webhooks#signature');
    expect((await find('last week'))[0]).toContain('/docs/api/submissions#filter-line');
    expect((await find('revoke token')).slice(0, 3)).toContain('/docs/reference/tokens#revoke-a-token');
    expect((await find('webhook signatrue'))[0]).toBe('/docs/api/webhooks#signature');
  });

  it('puts what has every word first, marks the words, cuts none, and shows no more than twenty', async () => {
    const text = await textOf('/docs?q=webhook+secrets');
    const excerpts = matches(text, /<\/a><p>(.*?)<\/p>/g);

    expect(excerpts).toHaveLength(RESULTS_MAX);
    expect(excerpts[0]).toMatch(/<mark>secrets?<\/mark>/i);
    expect(excerpts.join('\n')).toMatch(/ …$/m);
    expect(excerpts.join('\n')).not.toMatch(/[\p{L}\p{N}](?:<\/mark>)?…$/mu);
  });

  it('says what to do when nothing is found, and shows a text as it is', async () => {
    const text = await textOf('/docs?q=%3Cxyzzyx%3E');

    expect(text).toContain('<h1>Nothing found for “&lt;xyzzyx>”</h1>');
    expect(text).toContain('<a href="/docs">all pages</a>');
    expect(await find('of the')).toEqual([]);
    await get(`/docs?q=${'a'.repeat(3_000)}`).expect(200);
    expect(await textOf('/docs?q=')).toContain('<h1 id="documentation">');
  });
});
