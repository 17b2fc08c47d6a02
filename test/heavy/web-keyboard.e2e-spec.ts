import type { Page } from 'playwright-core';
import { snippetsFor } from '../../src/visitor-pages/snippets.js';
import { chromium, inBrowser } from '../support/browser.js';
import { useBrowser, Viewer } from '../support/browser-pages.js';
import { Browser, PASSWORD } from '../support/people.js';
import { freePort } from '../support/program.js';
import { useService, type Caller } from '../support/service.js';

/** More stops than any page has. */
const STOPS_MAX = 80;

const port = await freePort();
const origin = `http://localhost:${port}`;
const program = useBrowser();
const service = useService({ PORT: port, BASE_URL: origin, WORKERS: 'off' });
let owner: Caller;
let email: string;

beforeAll(async () => {
  if (!chromium) return;
  owner = await service().openAccount('Studio Nord', 'studio@example.com');
  ({ email } = await service().makePerson(owner));
});

/** Runs in the page. */
function focused() {
  const at = document.activeElement ?? document.body;
  // Past the last stop nothing of the page has the focus, and the next is the first.
  if (at === document.body) return { name: '', isSeen: true };
  const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
  const name = labels[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent;
  // A row that is one link shows the focus around itself.
  const isSeen = [null, '::after'].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(at, part);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });
  const { right, bottom, width } = at.getBoundingClientRect();
  return { name: name.trim(), isSeen: isSeen && right > 0 && bottom > 0 && width > 0 };
}

/** Walks with the keys of a keyboard alone. */
class Walker {
  constructor(private readonly page: Page) {}

  /** Presses Tab until this has the focus; at every stop the focus must be seen. */
  async to(wanted: string | RegExp): Promise<void> {
    const seen: string[] = [];
    for (let stop = 0; stop < STOPS_MAX; stop++) {
      const { name, isSeen } = await this.page.evaluate(focused);
      if (stop > 0 || isSeen) {
        expect({ at: this.page.url(), name, isSeen }).toMatchObject({ isSeen: true });
        if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
      }
      seen.push(name);
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`No ${String(wanted)} among ${seen.join(' / ')}`);
  }

  async type(into: string | RegExp, text: string): Promise<void> {
    await this.to(into);
    await this.page.keyboard.type(text);
  }

  /** Presses Enter on what leads to a page, and waits for it. */
  async enter(wanted: string | RegExp, path: RegExp): Promise<void> {
    await this.to(wanted);
    await this.page.keyboard.press('Enter');
    await this.page.waitForURL((url) => path.test(url.pathname));
  }
}

inBrowser('With the keys of a keyboard alone', () => {
  it.each([true, false])(
    'a person signs in, makes a form, reads a submission and signs out (script: %s)',
    async (script) => {
      const form = await owner.makeForm({ name: `Contact ${script}` });
      await service().submit(form, { name: `Zoë ${script}`, message: 'Hello' });
      const view = { script, scheme: 'light', width: 1280 } as const;
      const { page } = await Viewer.open(program(), origin, view);
      const walker = new Walker(page);

      await page.goto(`${origin}/sign-in`);
      await walker.type('Email address', email);
      await walker.type('Password', PASSWORD);
      await walker.enter('Sign in', /^\/inbox$/);

      await walker.enter('Forms', /^\/forms$/);
      await walker.enter('Create a form', /^\/new-form$/);
      await walker.type('Name', `Made ${script}`);
      await walker.enter('Create a form', /^\/forms\/\w+$/);
      expect(await page.textContent('h1')).toBe(`Made ${script}`);

      await walker.enter('Inbox', /^\/inbox$/);
      await walker.enter(new RegExp(`^unread Zoë ${script}`), /^\/inbox\/\w+\/[\w-]+$/);
      expect(await page.textContent('main')).toContain('Hello');

      await walker.to(/^Your account/);
      await page.keyboard.press('Enter');
      await walker.enter('Sign out', /^\/sign-in/);
    },
  );

  it('the first stop of a page skips what is the same on all pages', async () => {
    const view = { script: true, scheme: 'light', width: 1280 } as const;
    const { page } = await Viewer.open(program(), origin, view);
    await page.goto(`${origin}/setup`);
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    const walker = new Walker(page);

    await walker.to('Skip to content');
    await page.keyboard.press('Enter');

    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});

inBrowser('The first minute', () => {
  it.each([true, false])('leads from the setup link to the first submission (script: %s)', async (script) => {
    const code = await service().setupCodeOf(await service().openAccount('Studio Süd', null));
    const view = { script, scheme: 'light', width: 390 } as const;
    const { page } = await Viewer.open(program(), origin, view);

    await page.goto(`${origin}/setup#${code}`);
    // Only script reads what is behind the #.
    if (!script) await page.getByLabel('Setup code').fill(code);
    await page.getByLabel('Email address').fill(`olive-${script}@example.com`);
    await page.getByLabel('Your name').fill('Olive');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up account' }).click();
    await page.getByRole('link', { name: 'Create a form' }).click();
    await page.getByLabel('Name').fill('Contact');
    await page.getByRole('button', { name: 'Create a form' }).click();
    await page.getByText('Waiting for your first submission').waitFor();
    const here = page.url();

    // Without script the thank-you page opens beside this one.
    const another = script ? null : page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Send a test submission' }).click();
    if (another) {
      await (await another).getByRole('heading', { name: 'Thank you' }).waitFor();
      await page.getByRole('link', { name: 'Check now' }).click();
    }

    await page.getByText('It works: your first submission is here').waitFor();
    expect(page.url()).toBe(here);
    expect(await page.getByRole('link', { name: 'jane@example.com' }).isVisible()).toBe(true);
  });

  it('has snippets that are copied by a button', async () => {
    const { identifier, name } = await owner.makeForm();
    const view = { script: true, scheme: 'light', width: 1280 } as const;
    const browser = await Browser.of(service(), email);
    const { page } = await Viewer.open(program(), origin, view, browser.cookies);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${origin}/forms/${identifier}`);

    for (const { name: flavour, code } of snippetsFor({ address: `${origin}/f/${identifier}`, name, fields: [] })) {
      const snippet = page.locator('details', { has: page.getByText(flavour, { exact: true }) });
      if ((await snippet.getAttribute('open')) === null) await snippet.locator('summary').click();
      await snippet.getByRole('button', { name: 'Copy' }).click();

      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect({ flavour, copied }).toEqual({ flavour, copied: code });
    }
  });
});
