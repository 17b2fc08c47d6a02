import { useWindows } from '../support/clock.js';
import { Browser } from '../support/people.js';
import { useMailServer } from '../support/smtp.js';
import { useService } from '../support/service.js';
import { until } from '../support/until.js';

const WINDOW_MS = 15 * 60_000;
const LINK = '/sign-in/link';
/** Mails to one address that one network may ask for. */
const QUOTA = 3;

const mails = useMailServer();
const service = useService(() => ({ SMTP_URL: mails.url, RATE_LIMIT_SIGN_IN_LINKS: String(QUOTA), TRUST_PROXY: '1' }));
const clock = useWindows(WINDOW_MS);
let email: string;
beforeEach(async () => {
  ({ email } = await service().makePerson(await service().openAccount()));
});

/** Asks for a mail from a network. Returns the status. */
async function ask(to: string, network: string): Promise<number> {
  const { status } = await new Browser(service()).post(
    LINK,
    { email: to },
    { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': network },
  );
  return status;
}

/** Asks as often as it is allowed, and a little more. Returns how often that was. */
async function askAll(to: string, network: (n: number) => string, most: number): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < most; n++) if ((await ask(to, network(n))) === 303) allowed++;
  return allowed;
}

describe('Who has others mailed', () => {
  it('gets so many mails to one address from one network, and again after a quarter of an hour', async () => {
    expect(await askAll(email, () => '203.0.113.1', 2 * QUOTA)).toBe(QUOTA);
    expect(await ask(email, '203.0.113.1')).toBe(429);
    await until(() => mails.to(email).length === QUOTA);

    clock.nextWindow();

    expect(await ask(email, '203.0.113.1')).toBe(303);
    await until(() => mails.to(email).length === QUOTA + 1);
  });

  it('gets twice as many to one address from however many networks', async () => {
    expect(await askAll(email, (n) => `198.51.100.${n}`, 4 * QUOTA)).toBe(2 * QUOTA);
    await until(() => mails.to(email).length === 2 * QUOTA);
  });

  it('gets four times as many from one network to however many addresses', async () => {
    let allowed = 0;
    for (let n = 0; n < 6 * QUOTA; n++) {
      if ((await ask(`someone${n}@example.com`, '203.0.113.9')) === 303) allowed++;
    }
    expect(allowed).toBe(4 * QUOTA);
  });

  it('learns from the limit no more than from the answer: it is the same for all', async () => {
    const known = await askAll(email, (n) => `198.51.100.${n}`, 4 * QUOTA);
    expect(await askAll('nobody@example.com', (n) => `198.51.101.${n}`, 4 * QUOTA)).toBe(known);
  });

  it('does not keep the person from signing in where they did before', async () => {
    const home = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '192.0.2.7' };
    const browser = new Browser(service(), home);
    await browser.signIn(email);
    await askAll(email, (n) => `198.51.100.${n}`, 4 * QUOTA);

    expect((await browser.post(LINK, { email })).status).toBe(303);
    expect(await ask(email, '192.0.2.8')).toBe(429);
  });
});
