import type { CDPSession, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { until } from '../support/until.js';

const COUNT = 6;
/** Steps in which a finger moves. */
const STEPS = 8;

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  for (let n = 0; n < COUNT; n++) await service().submit(form, { name: `Person ${n}` });
});

/** A page under one finger. */
class Phone {
  private constructor(
    readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async open(options: { reducedMotion?: 'reduce' } = {}): Promise<Phone> {
    const viewport = { width: 390, height: 844 };
    const person = await service().makePerson(owner);
    const touch = { viewport, hasTouch: true, isMobile: true, ...options };
    const page = await openPage(browser(), service(), person, '/inbox', touch);
    await page.locator('html.by-touch').waitFor();
    return new Phone(page, await page.context().newCDPSession(page));
  }

  row(n: number) {
    const name = this.page.locator('a.row', { hasText: new RegExp(`Person ${n}$`) });
    return this.page.locator('#list tbody tr', { has: name });
  }

  /** Puts the finger on a row, and moves it by so many pixels. */
  async drag(n: number, x: number, y = 0): Promise<void> {
    const [left, top] = await this.middle(n);
    // All at once: on a busy machine a finger that waits for each step would press for long.
    const sent = [this.send('touchStart', left, top)];
    for (let step = 1; step <= STEPS; step++) {
      sent.push(this.send('touchMove', left + (x * step) / STEPS, top + (y * step) / STEPS));
    }
    await Promise.all(sent);
  }

  async swipe(n: number, x: number, y = 0): Promise<void> {
    await this.drag(n, x, y);
    await this.send('touchEnd');
  }

  async longPress(n: number): Promise<void> {
    await this.send('touchStart', ...(await this.middle(n)));
    await until(() => this.isSelected(n));
    await this.send('touchEnd');
  }

  async tap(n: number): Promise<void> {
    const [left, top] = await this.middle(n);
    await this.page.touchscreen.tap(left, top);
  }

  isSelected(n: number): Promise<boolean> {
    return this.row(n).getByRole('checkbox').isChecked();
  }

  async send(type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0): Promise<void> {
    const touchPoints = type === 'touchEnd' ? [] : [{ x, y }];
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }

  private async middle(n: number): Promise<[x: number, y: number]> {
    await this.row(n).scrollIntoViewIfNeeded();
    // What is fixed at the bottom lies over the last rows.
    await this.row(n).evaluate((row: HTMLElement) => {
      const { bottom } = row.getBoundingClientRect();
      if (bottom > innerHeight - 150) row.scrollIntoView({ block: 'center' });
    });
    // A page that was just loaded scrolls to the row that its address names.
    await (await this.row(n).elementHandle()).waitForElementState('stable');
    const { x, y, width, height } = (await this.row(n).boundingBox()) ?? {};
    return [(x ?? 0) + (width ?? 0) / 2, (y ?? 0) + (height ?? 0) / 2];
  }
}

/** Returns the names of those that are done, oldest first. */
async function done(): Promise<unknown[]> {
  const { submissions } = await owner.list(form, 'done=true');
  return submissions.map(({ values }) => values.name).reverse();
}

inBrowser('The inbox under a thumb', () => {
  it('is worked through without another hand: swipes, a long press, taps, and the way back', async () => {
    const phone = await Phone.open();
    const { page } = phone;

    await phone.drag(5, -200);
    // The finger comes to rest: the tap that follows a fling only stops that.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    });
    await phone.send('touchEnd');
    await phone.row(5).waitFor({ state: 'detached' });
    const undo = page.getByRole('button', { name: 'Undo' });
    // What has the focus stays, however long the machine takes.
    await undo.focus();
    expect(await done()).toEqual(['Person 5']);
    await undo.tap();
    await phone.row(5).waitFor();
    expect(await done()).toEqual([]);
    await phone.swipe(4, 200);
    await phone.row(4).waitFor({ state: 'detached' });

    await phone.longPress(3);
    await phone.tap(1);
    await phone.tap(0);
    await phone.tap(0);
    expect(new URL(page.url()).pathname).toBe('/inbox');
    expect(await Promise.all([3, 1, 0].map((n) => phone.isSelected(n)))).toEqual([...[true, true, false]]);
    await page.locator('.bulk-actions button[name="done"]').tap();
    await phone.row(3).waitFor({ state: 'detached' });
    expect(await done()).toEqual(['Person 1', 'Person 3', 'Person 4']);

    await phone.tap(0);
    await page.locator('#submission').waitFor();
    await page.locator('#marks button[name="done"]').tap();
    await page.getByRole('heading', { name: 'Person 2' }).waitFor();
    expect(await done()).toHaveLength(4);
  });

  it('does nothing by a short swipe, by scrolling, and while rows are selected', async () => {
    const phone = await Phone.open();
    const { page } = phone;
    await page.setViewportSize({ width: 390, height: 400 });

    await phone.swipe(5, -60);
    expect(await page.locator('.under').count()).toBe(0);
    await phone.swipe(4, -20, -180);
    await until(async () => (await page.evaluate<number>('scrollY')) > 0);
    await phone.longPress(3);
    await phone.swipe(3, -200);
    expect(new URL(page.url()).pathname).toBe('/inbox');

    expect(await phone.isSelected(3)).toBe(true);
    expect(await done()).toEqual([]);
  });

  it('says what letting go will do; the row moves along unless motion is unwanted', async () => {
    for (const reducedMotion of [undefined, 'reduce'] as const) {
      const phone = await Phone.open(reducedMotion && { reducedMotion });
      const under = phone.page.locator('.under');
      // A list that is renewed under the finger has its row where it was.
      await until(async () => {
        await phone.drag(5, -60);
        const moved = await phone.row(5).evaluate((row) => (row as HTMLElement).style.translate);
        if (moved === (reducedMotion ? '' : '-60px')) return true;
        await phone.send('touchEnd');
        return false;
      });
      expect(await under.textContent()).toBe('Done');
      expect(await phone.page.locator('.under.far').count()).toBe(0);
      await phone.send('touchEnd');
      await under.waitFor({ state: 'detached' });
    }
    expect(await done()).toEqual([]);
  });
});
