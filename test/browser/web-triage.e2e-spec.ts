import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const COUNT = 6;
const WIDE = { width: 1280, height: 800 };
/** Too narrow for a list and a submission beside one another. */
const NARROW = { width: 800, height: 800 };

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  for (let n = 0; n < COUNT; n++) await service().submit(form, { name: `Person ${n}` });
});

const nameOf = (n: number) => `Person ${n}`;
const NEWEST = nameOf(COUNT - 1);

/** Opens a page as somebody who is signed in. */
const openAs = (
  person: { email: string },
  { path = '/inbox', viewport = WIDE }: { path?: string; viewport?: typeof WIDE } = {},
) => openPage(browser(), service(), person, path, { viewport });
const openInbox = async (options?: Parameters<typeof openAs>[1]) => openAs(await service().makePerson(owner), options);

const note = (page: Page) => page.locator('[name="note.text"]');
const heading = (page: Page, name: string) =>
  page.locator('#submission').getByRole('heading', { name, exact: true, level: 1 });
const row = (page: Page, name: string) => page.locator('a.row').filter({ hasText: name });
/** Returns the names of those that are done, oldest first. */
async function done(): Promise<unknown[]> {
  const { submissions } = await owner.list(form, 'done=true');
  return submissions.map(({ values }) => values.name).reverse();
}
/** Holds back the answers to what a page posts until they are let through. */
async function holdBack(page: Page): Promise<{ asked: string[]; letGo: () => void }> {
  const asked: string[] = [];
  let letGo: () => void = () => undefined;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/*', async (route) => {
    const isSilent = /\/(?:read|presence)$/.test(route.request().url());
    if (route.request().method() === 'POST' && !isSilent) {
      asked.push(new URL(route.request().url()).pathname);
      await free;
    }
    await route.continue();
  });
  return { asked, letGo };
}

inBrowser('A note that was begun', () => {
  it('is there again when one comes back, beside the list and on the page, until it is written', async () => {
    const page = await openInbox();
    await row(page, NEWEST).click();
    await note(page).fill('She wants');
    await row(page, NEWEST).focus();
    await page.keyboard.press('j');
    await heading(page, nameOf(COUNT - 2)).waitFor();
    expect(await note(page).inputValue()).toBe('');
    await page.keyboard.press('k');
    await heading(page, NEWEST).waitFor();
    expect(await note(page).inputValue()).toBe('She wants');

    const address = page.url();
    await page.goto(`${service().url}/forms`);
    await page.goto(address);
    expect(await note(page).inputValue()).toBe('She wants');
    await note(page).fill('She wants\n two');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note').getByText('She wants two').waitFor();
    expect(await note(page).inputValue()).toBe('');
    await page.goto(address);
    expect(await note(page).inputValue()).toBe('');
  });

  it('is kept where sending it failed, and ends with the session', async () => {
    const page = await openInbox({ viewport: NARROW });
    await row(page, NEWEST).click();
    const address = page.url();
    const isDown = { status: 503, contentType: 'text/plain', body: 'Come back later' };
    await page.route('**/notes', (route) => route.fulfill(isDown));
    await note(page).fill('She wants');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Come back later').waitFor();
    await page.goto(address);
    expect(await note(page).inputValue()).toBe('She wants');

    await page.locator('details.person summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

inBrowser('A key that is pressed again before the answer has come', () => {
  it('means the next submission, beside the list', async () => {
    const page = await openInbox();
    await row(page, NEWEST).click();
    await heading(page, NEWEST).waitFor();
    const { asked, letGo } = await holdBack(page);

    await page.keyboard.press('e');
    await page.keyboard.press('e');
    await until(() => asked.length === 1);
    letGo();
    await heading(page, nameOf(COUNT - 3)).waitFor();

    expect(await done()).toEqual([nameOf(COUNT - 2), NEWEST]);
    expect(asked).toHaveLength(2);
  });

  it('means the submission that is being opened, and not the one that is still shown', async () => {
    const page = await openInbox();
    await row(page, NEWEST).click();
    await heading(page, NEWEST).waitFor();

    await page.evaluate(() => {
      for (const key of ['j', 'j', 'e'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    await heading(page, nameOf(COUNT - 4)).waitFor();

    expect(await done()).toEqual([nameOf(COUNT - 3)]);
  });

  it('means the next row of a list alone, whose acts go out in their order', async () => {
    const page = await openInbox({ viewport: NARROW });
    await page.keyboard.press('j');
    const { asked, letGo } = await holdBack(page);
    await page.keyboard.press('e');
    await page.keyboard.press('e');
    await until(() => asked.length > 0);
    expect(await row(page, nameOf(COUNT - 2)).count()).toBe(0);
    expect(asked).toHaveLength(1);
    letGo();
    await until(async () => (await done()).length === 2);

    expect(await done()).toEqual([nameOf(COUNT - 2), NEWEST]);
  });

  it('does nothing where the page is being left, so that the offer to undo stays', async () => {
    const page = await openInbox({ viewport: NARROW });
    await row(page, NEWEST).click();
    await page.locator('#submission').waitFor();
    const { asked, letGo } = await holdBack(page);
    await page.keyboard.press('e');
    await page.keyboard.press('e');
    await until(() => asked.length > 0);
    letGo();
    await page.getByRole('button', { name: 'Undo' }).waitFor();

    expect(asked).toHaveLength(1);
    expect(await done()).toEqual([NEWEST]);
  });
});

inBrowser('An act', () => {
  /** Notes what a page asks for from now on; files that it keeps are no requests. */
  const askedBy = (page: Page) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/assets')) asked.push(`${request.method()} ${pathname}`);
    });
    return asked;
  };
  const told = (page: Page) => page.getByText('Marked as done').waitFor();
  /** Presses a key, and returns how many rows it takes away in the same turn, and the milliseconds of its script. */
  const pressing = async (page: Page, key: string) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const computed = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0);
    };
    const before = await computed();
    const left = await page.evaluate((key) => {
      const count = () => document.querySelectorAll('#list a.row').length;
      const before = count();
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      return before - count();
    }, key);
    return { left, ms: (await computed()) - before };
  };

  it('shows in the same frame, and is one request that brings the row which fills the end', async () => {
    for (let n = COUNT; n < 53; n++) await service().submit(form, { name: nameOf(n) });
    const page = await openInbox();
    // By then the page has heard of all that came before.
    await service().submit(form, { name: 'One' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await page.keyboard.press('.');
    await row(page, 'One').focus();
    const asked = askedBy(page);

    const pressed = [];
    for (let n = 0; n < 3; n++) {
      pressed.push(await pressing(page, 'e'));
      await until(async () => (await page.locator('a.row').count()) === 50);
    }
    expect(pressed.map(({ left }) => left)).toEqual([1, 1, 1]);
    // The machine of a test has other work too.
    expect(Math.min(...pressed.map(({ ms }) => ms))).toBeLessThan(50);
    await told(page);

    expect(asked).toEqual(Array.from({ length: 3 }, () => 'POST /inbox/bulk'));
    expect(await page.locator('a.row').count()).toBe(50);
    // Its own event tells of it a second later: others are looked at, and itself is not.
    await service().submit(form, { name: 'Another' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(asked.slice(3)).toEqual(['GET /inbox']);
  });

  it('beside the list asks for the next submission too, and says once that this one is read', async () => {
    const page = await openInbox();
    await row(page, NEWEST).click();
    await page.locator('tr:not(.unread) a.row[aria-current]').waitFor();
    const asked = askedBy(page);

    expect((await pressing(page, 'e')).left).toBe(1);
    await heading(page, nameOf(COUNT - 2)).waitFor();
    await page.locator('tr:not(.unread) a.row[aria-current]').waitFor();
    await told(page).catch(() => undefined);

    const [, next = ''] = asked;
    expect(asked).toEqual(['POST /inbox/bulk', next, `${next.replace('GET', 'POST')}/presence`]);
    expect(next).toMatch(/^GET \/inbox\/[0-9a-f]{16}\//);
  });

  it('that is refused puts the row back where it was, and says why', async () => {
    const page = await openInbox();
    await row(page, nameOf(2)).focus();
    await page.route('**/inbox/bulk', (route) => route.abort());
    await page.keyboard.press('e');
    await page.getByRole('alert').getByText('Not saved.').waitFor();

    const names = await page.locator('a.row').allTextContents();
    expect(names.map((name) => name.replace('unread ', ''))).toEqual(
      Array.from({ length: COUNT }, (_, n) => nameOf(COUNT - 1 - n)),
    );
    expect(await done()).toEqual([]);
  });
});

inBrowser('What was done with several rows', () => {
  const select = async (page: Page, ...names: string[]) => {
    const boxOf = (name: string) => page.locator('tr', { has: row(page, name) }).getByRole('checkbox');
    for (const name of names) await boxOf(name).check();
  };
  const focused = (page: Page) => page.locator('a.row:focus').textContent();

  it('leaves the focus on the row that took their place, and is taken back by a key', async () => {
    const page = await openInbox();
    await select(page, nameOf(4), nameOf(2));
    await page.keyboard.press('e');
    await row(page, nameOf(4)).waitFor({ state: 'detached' });
    expect(await focused(page)).toContain(nameOf(1));
    expect(await done()).toEqual([nameOf(2), nameOf(4)]);

    await page.keyboard.press('z');
    await row(page, nameOf(4)).waitFor();
    expect(await done()).toEqual([]);
  });

  it('is taken back only from those that were not so before', async () => {
    const page = await openInbox({ path: '/inbox?q=' });
    const [newest] = (await owner.list(form)).submissions;
    const marks = { marks: { done: true } };
    await owner.patch(`${pathOf(form)}/${newest?.id ?? ''}/marks`, marks).expect(200);
    await select(page, NEWEST, nameOf(0));
    await page.locator('.bulk-actions button[name="done"][value="true"]').click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone').waitFor();

    expect(await done()).toEqual([NEWEST]);
  });
});

inBrowser('An open page of a client', () => {
  it('is one look in the audit log, however often it renews itself', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const standing = { clientId: client, actions: ['see' as const, 'triage' as const] };
    const person = await service().makePerson(owner, standing);
    const looks = async () => (await owner.read('/api/v1/audit?action=submission.viewed')).entries.length;
    const page = await openAs(person);
    await row(page, NEWEST).click();
    await heading(page, NEWEST).waitFor();
    const [newest] = (await owner.list(form)).submissions;
    const starred = { marks: { starred: true } };
    await owner.patch(`${pathOf(form)}/${newest?.id ?? ''}/marks`, starred).expect(200);
    await page.locator('#submission').getByRole('button', { name: 'Unstar' }).waitFor();
    await note(page).fill('Seen');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note').getByText('Seen').waitFor();
    expect(await looks()).toBe(1);

    await page.locator('.neighbours a[rel="next"]').click();
    await heading(page, nameOf(COUNT - 2)).waitFor();
    expect(await looks()).toBe(2);
    await page.reload();
    expect(await looks()).toBe(3);
  });
});
