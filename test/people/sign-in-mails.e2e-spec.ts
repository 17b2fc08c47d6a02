import { DAY_MS, useClock } from '../support/clock.js';
import { Browser, PASSWORD } from '../support/people.js';
import { switchOnTotp } from '../support/second-factor.js';
import { useService, useOwner } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const mailbox = useMailServer();
const service = useService(() => ({ SMTP_URL: mailbox.url }));
const clock = useClock();
let email: string;
let browser: Browser;
const owner = useOwner(service);
beforeEach(async () => {
  ({ email } = await service().makePerson(owner));
  browser = new Browser(service(), { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': FIREFOX });
});

/** Texts of the mails that the person got with this subject, once there are so many. */
async function mailsTo(to: string, subject: string, count: number): Promise<string[]> {
  const texts = () =>
    mailbox.mails
      .filter((sent) => sent.to.includes(to) && sent.mail.subject === subject)
      .map(({ mail }) => mail.text ?? '');
  await until(() => texts().length >= count);
  return texts();
}

const NEW_BROWSER = 'New sign-in to your account';
const CHANGED = 'Your sign-in settings changed';

describe('A mail after a sign-in', () => {
  it('comes from a browser that is new to the person, and not again from there', async () => {
    await browser.signIn(email);
    const [text = ''] = await mailsTo(email, NEW_BROWSER, 1);
    expect(text).toContain('Firefox on Linux');
    expect(text).toContain('127.0.0.1');

    await browser.post('/sign-out');
    clock.forward(100 * DAY_MS);
    await browser.signIn(email);
    await new Browser(service()).signIn(email);
    await mailsTo(email, NEW_BROWSER, 2);
    expect(await mailsTo(email, NEW_BROWSER, 2)).toHaveLength(2);
  });

  it('comes from a browser that only somebody else used, and from a forged cookie', async () => {
    const { email: theirs } = await service().makePerson(owner);
    await browser.signIn(theirs);
    await browser.signIn(email);
    await mailsTo(email, NEW_BROWSER, 1);
    await browser.signIn(theirs);
    expect(await mailsTo(theirs, NEW_BROWSER, 1)).toHaveLength(1);

    const forged = new Browser(service());
    const cookie = Buffer.from(browser.cookies.get('fcs_devices') ?? '', 'base64url');
    cookie.writeUInt8(cookie.readUInt8(3) ^ 1, 3);
    forged.cookies.set('fcs_devices', cookie.toString('base64url'));
    await forged.signIn(email);
    await mailsTo(email, NEW_BROWSER, 2);
  });

  it('comes each time from a device that others use too', async () => {
    for (let times = 1; times <= 2; times++) {
      await browser.signIn(email, PASSWORD, { shared: 'true' });
      expect(await mailsTo(email, NEW_BROWSER, times)).toHaveLength(times);
    }
  });

  it('waits for the second factor', async () => {
    await browser.signIn(email);
    const { codes } = await switchOnTotp(browser, clock);
    await mailsTo(email, NEW_BROWSER, 1);
    const other = await Browser.of(service(), email);
    expect(other.cookies.has('fcs_devices')).toBe(false);
    await other.post('/sign-in/code', { code: codes[0] ?? '' });
    expect(await mailsTo(email, NEW_BROWSER, 2)).toHaveLength(2);
  });

  it('does not come to somebody who begins here', async () => {
    const code = await service().setupCodeOf(owner);
    const typed = { code, email: 'new@example.com', name: 'New', password: PASSWORD };
    await browser.post('/setup', typed);
    await browser.signIn('new@example.com');
    await browser.post('/account/password', { current: PASSWORD, password: 'seven foggy kettles' });
    await mailsTo('new@example.com', CHANGED, 1);
    expect(await mailsTo('new@example.com', NEW_BROWSER, 0)).toEqual([]);
  });
});

it('A mail after a change says what changed about codes, recovery codes, the password and a setup link', async () => {
  await browser.signIn(email);
  await switchOnTotp(browser, clock);
  await browser.post('/account/totp/codes');
  await browser.post('/account/totp/remove');
  await browser.post('/account/password', { current: PASSWORD, password: 'seven foggy kettles' });
  await mailsTo(email, CHANGED, 4);
  const code = await service().setupCodeOf(owner);
  await browser.post('/setup', { code, email, name: 'Ada', password: PASSWORD });

  const texts = await mailsTo(email, CHANGED, 5);
  expect(texts).toHaveLength(5);
  for (const part of [
    'Two-step verification was turned on',
    'New recovery codes',
    'Two-step verification was turned off',
    'Your password was changed',
    'A setup link',
  ]) {
    expect(texts.filter((text) => text.includes(part))).toHaveLength(1);
  }
});
