import type { CDPSession, Page } from 'playwright-core';
import { chromium, inBrowser } from '../support/browser.js';
import { complaintsOf, useBrowser } from '../support/browser-pages.js';
import { PASSWORD } from '../support/people.js';
import { freePort } from '../support/program.js';
import { useService, useOwner } from '../support/service.js';

const port = await freePort();
const BASE_URL = `http://localhost:${port}`;
const browser = useBrowser();
const service = useService({ PORT: port, BASE_URL, HOST: 'localhost' });

/** Options of a virtual device, as the protocol of the developer tools names them. */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;
let page: Page;
let tools: CDPSession;
let complaints: string[];
const owner = useOwner(service);
beforeEach(async () => {
  if (!chromium) return;
  page = await (await browser().newContext()).newPage();
  complaints = complaintsOf(page);
  tools = await page.context().newCDPSession(page);
  await tools.send('WebAuthn.enable', { enableUI: false });
});

/** Plugs a device in; another one takes its place. */
async function plugIn(isPresent = true): Promise<string> {
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...DEVICE, automaticPresenceSimulation: isPresent },
  });
  return authenticatorId;
}

const unplug = (authenticatorId: string) => tools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

inBrowser('In a browser', () => {
  it('somebody becomes the owner by a passkey, makes another, and signs in without typing an address', async () => {
    const code = await service().setupCodeOf(owner);
    const first = await plugIn();
    await page.goto(`${BASE_URL}/setup#${code}`);
    await page.getByLabel('Email address').fill('olive@example.com');
    await page.getByLabel('Your name').fill('Olive');
    await press('Add a passkey');
    await page.waitForURL('**/inbox');

    await unplug(first);
    await plugIn();
    await page.goto(`${BASE_URL}/account/passkeys`);
    await page.getByLabel('Name').last().fill('Blue stick');
    await press('Add a passkey');
    await page.getByText('Passkey added.').waitFor();
    expect(await names()).toEqual(['Chrome on Linux', 'Blue stick']);
    const row = page.locator('li', { hasText: 'Blue stick' });
    await row.getByText('Rename').click();
    await row.locator('input[name=name]').fill('Red stick');
    await press('Save name');
    await page.getByText('Passkey renamed').waitFor();
    const old = page.locator('li', { hasText: 'Chrome on Linux' });
    await old.getByText('Remove', { exact: true }).click();
    await old.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Passkey removed.').waitFor();
    expect(await names()).toEqual(['Red stick']);

    await page.context().clearCookies();
    await page.goto(`${BASE_URL}/account`);
    // The device answers by itself what the page offers beside the address.
    await page.waitForURL('**/account');
    await page.getByText('by passkey').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('somebody without a passkey is told so by the button, and goes on with the password', async () => {
    const { email } = await service().makePerson(owner);
    await plugIn();
    await page.goto(`${BASE_URL}/sign-in?next=/account/passkeys`);
    await press('Sign in with a passkey');
    await page.getByText('That did not work.').waitFor();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
    await page.waitForURL('**/account/passkeys');
    expect(await names()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

const names = () => page.locator('main li strong').allTextContents();
