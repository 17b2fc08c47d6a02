import { DataSource } from 'typeorm';
import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { SignInLink } from '../../src/people/links/sign-in-link.entity.js';
import { ExpiredRows } from '../../src/platform/background/tasks.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { ReadManager } from '../../src/platform/database/sql.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { Browser, PASSWORD } from '../support/people.js';
import { codeOf, switchOnTotp } from '../support/second-factor.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';
import { useService, useOwner } from '../support/service.js';
import { until } from '../support/until.js';

/** Window of attempts with one code: a test that begins with it does not end in the next. */
const WINDOW_MS = 15 * MINUTE_MS;
const LINK = '/sign-in/link';
const USE = '/sign-in/link/use';

const mails = useMailServer();
const service = useService(() => ({ SMTP_URL: mails.url, BASE_URL: 'http://forms.test' }));
const clock = useClock();
let id: number;
let email: string;
let browser: Browser;
const owner = useOwner(service);
beforeEach(async () => {
  ({ id, email } = await service().makePerson(owner));
  browser = new Browser(service());
});

/** Link and code of a sign-in email. */
function read({ mail: { text = '' } }: ReceivedMail) {
  const [, secret = ''] = /http:\/\/forms\.test\/sign-in\/link#(\S+)/.exec(text) ?? [];
  const [, code = ''] = /^([2-9A-HJ-NP-Z]{6})$/m.exec(text) ?? [];
  return { secret, code };
}

/** The mails that have come to sign in the person of the test. */
const signInMails = (): ReceivedMail[] =>
  mails.to(email).filter(({ mail }) => mail.subject === 'Sign in to forms.test');

/** Asks for a mail, and waits until it has come. */
async function ask(from = browser, more: Record<string, string> = {}) {
  const before = signInMails().length;
  const asked = await from.post(LINK, { email, ...more });
  expect({ status: asked.status, location: asked.headers.location }).toEqual({ status: 303, location: LINK });
  await until(() => signInMails().length > before);
  const latest = signInMails().at(-1);
  if (!latest) throw new Error('No mail has come.');
  return read(latest);
}

const isIn = async (who: Browser): Promise<boolean> => (await who.get('/account')).status === 200;

const actions = async (): Promise<string[]> => (await owner.read('/api/v1/audit')).entries.map(({ action }) => action);

describe('Signing in by mail', () => {
  it.each(['secret', 'code'] as const)('takes the %s of the mail, once', async (kind) => {
    const mail = await ask();
    expect((await browser.get(LINK)).text).toContain(`Sign in as ${email}`);

    expect((await browser.post(USE, { code: mail[kind] })).headers.location).toBe('/');
    expect((await browser.get('/account')).text).toContain('Signed in by email link');
    await browser.post('/sign-out');
    expect((await browser.post(USE, { code: mail[kind] })).status).toBe(404);
    expect(await isIn(browser)).toBe(false);
  });

  it('takes the code in small letters and in groups', async () => {
    const { code } = await ask();
    const typed = ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `;
    expect((await browser.post(USE, { code: typed })).status).toBe(303);
  });

  it('lets in one of two who use it at the same time', async () => {
    const { code } = await ask();
    const copy = new Browser(service());
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const answers = await Promise.all([browser, copy].map((each) => each.post(USE, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  it('goes on to where one wanted to go, on a device that others use too', async () => {
    const { secret } = await ask(browser, { next: '/account?tab=1', shared: 'true' });
    const done = await browser.post(USE, { code: secret });
    expect(done.headers.location).toBe('/account?tab=1');
    const cookies = done.headers['set-cookie'] as unknown as string[];
    const session = cookies.find((line) => line.startsWith('fcs_session='));
    expect(session).not.toMatch(/Max-Age|Expires/);
  });

  it('asks those for the second factor who have one', async () => {
    await browser.signIn(email);
    const { secret } = await switchOnTotp(browser, clock);
    const other = new Browser(service());
    const { code } = await ask(other, { next: '/account' });

    const half = await other.post(USE, { code });

    expect(half.headers.location).toBe('/sign-in/code?next=%2Faccount');
    expect(await isIn(other)).toBe(false);
    clock.forward(MINUTE_MS);
    await other.post('/sign-in/code', { code: codeOf(secret, clock), next: '/account' });
    expect(await isIn(other)).toBe(true);
  });

  it('lets whoever forgot the password set a new one, for ten minutes', async () => {
    const password = 'seven green kettles in the fog';
    const { code } = await ask();
    await browser.post(USE, { code });
    expect((await browser.get('/account')).text).not.toContain('name="current"');

    expect((await browser.post('/account/password', { password })).status).toBe(303);

    expect((await new Browser(service()).signIn(email, password)).status).toBe(303);
    clock.forward(10 * MINUTE_MS);
    expect((await browser.get('/account')).text).toContain('name="current"');
    expect((await browser.post('/account/password', { password: PASSWORD })).status).toBe(422);
  });

  it('leaves a password alone in a session that began by one', async () => {
    await browser.signIn(email);
    const password = 'seven green kettles in the fog';
    expect((await browser.post('/account/password', { password })).status).toBe(422);
  });

  it('is on record, with who asked and who was refused', async () => {
    const { code } = await ask();
    await browser.post(USE, { code: 'wrong' });
    await browser.post(USE, { code });
    expect(await actions()).toEqual(
      expect.arrayContaining(['person.link_asked', 'person.link_refused', 'person.signed_in']),
    );
  });

  it('shows that mail reaches the address', async () => {
    await service().unprove({ id });
    const { code } = await ask();
    await browser.post(USE, { code });
    const people = await service().app.get(PeopleService).list();
    expect(people.find((person) => person.email === email)?.verifiedAt).not.toBeNull();
  });
});

describe('What a mail has', () => {
  it('is the link with the secret behind the #, and nothing that was sent along', async () => {
    await ask();
    const { mail, raw = '' } = signInMails().at(-1) ?? {};
    expect(mail?.html).toMatch(/href="http:\/\/forms\.test\/sign-in\/link#fcs_link_\w+"/);
    expect(raw).not.toMatch(/sign-in\/link\?/);
    expect(raw).not.toContain('superagent');
    expect(mail?.subject).toBe('Sign in to forms.test');
  });

  it('is in no log', async () => {
    const { secret, code } = await ask();
    await browser.post(USE, { code: secret });
    expect(service().log).not.toContain(secret);
    expect(service().log).not.toContain(code);
  });
});

describe('A program that looks into mails', () => {
  it('uses nothing up, by whatever method, as often as it wants', async () => {
    const { secret, code } = await ask();
    const scanner = new Browser(service());
    for (let i = 0; i < 3; i++) {
      expect((await scanner.get(LINK)).text).toContain('Enter the code where you asked for it');
      expect((await scanner.head(LINK)).status).toBe(200);
      expect((await scanner.post(USE, { code: secret })).status).toBe(404);
      expect((await scanner.post(USE, { code })).status).toBe(404);
      await browser.get(LINK);
      await browser.head(LINK);
    }
    expect(scanner.session).toBeUndefined();

    expect((await browser.post(USE, { code: secret })).status).toBe(303);
  });

  it('learns neither the address nor the code from the page', async () => {
    const { code } = await ask();
    const { text } = await new Browser(service()).get(LINK);
    expect(text).not.toContain(email);
    expect(text).not.toContain(code);
    expect((await browser.get(LINK)).text).not.toContain(code);
  });
});

describe('A stolen mail', () => {
  it('opens nothing with the ticket of another request', async () => {
    const { secret, code } = await ask();
    const thief = new Browser(service());
    const other = await service().makePerson(owner);
    await thief.post(LINK, { email: other.email });
    for (const typed of [secret, code]) {
      expect((await thief.post(USE, { code: typed })).status).toBe(422);
    }
    await thief.post(LINK, { email });
    expect((await thief.post(USE, { code: secret })).status).toBe(422);
    expect(thief.session).toBeUndefined();
  });

  it('opens nothing with a ticket that is changed or made up', async () => {
    const { code } = await ask();
    const ticket = browser.cookies.get('fcs_link') ?? '';
    const flipped = (ticket.startsWith('A') ? 'B' : 'A') + ticket.slice(1);
    for (const forged of ['', 'x', flipped, `${ticket}AAAA`, ticket.slice(0, -4)]) {
      const thief = new Browser(service());
      thief.cookies.set('fcs_link', forged);
      expect({ forged, status: (await thief.post(USE, { code })).status }).toEqual({ forged, status: 404 });
    }
  });

  it('opens nothing after ten minutes', async () => {
    const { secret } = await ask();
    clock.forward(10 * MINUTE_MS);
    expect((await browser.post(USE, { code: secret })).status).toBe(404);
    expect((await browser.get(LINK)).text).toContain('Enter the code where you asked for it');
  });

  it('opens nothing once the person is disabled', async () => {
    const { secret } = await ask();
    await service().app.get(PeopleService).disable(COMMAND_LINE, email, true);
    expect((await browser.post(USE, { code: secret })).status).toBe(422);
  });

  it('is no invitation', async () => {
    const { secret } = await ask();
    expect((await browser.post('/invitation', { invitation: secret })).status).toBe(404);
  });

  it('keeps its ticket from scripts and from other sites', async () => {
    const { headers } = await browser.post(LINK, { email });
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^fcs_link=[\w-]+; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/);
    await until(() => mails.to(email).length > 0);
  });
});

it('Guessing a code ends after ten tries; another mail is needed then', async () => {
  clock.forward(WINDOW_MS - (clock.now().getTime() % WINDOW_MS));
  const { code } = await ask();
  for (let i = 0; i < 10; i++) {
    expect((await browser.post(USE, { code: `WRONG${i}` })).status).toBe(422);
  }
  expect((await browser.post(USE, { code })).status).toBe(429);

  const other = await ask();
  expect((await browser.post(USE, { code: other.code })).status).toBe(303);
});

const WATCHED = /\b(?:people|sessions|memberships|sign_in_links|audit_entries)\b/;

/** Begins to watch statements about people, without what upkeep does beside; the function returns them. */
function watchStatements(): () => string[] {
  const { app } = service();
  const sources = new Set([app.get(DataSource), app.get(ReadManager).manager.dataSource]);
  const seen: string[] = [];
  for (const { logger } of sources) {
    jest.spyOn(logger, 'logQuery').mockImplementation((sql: string) => {
      if (WATCHED.test(sql)) seen.push(sql.replaceAll(/\b\d+\b|\?/g, 'VALUE'));
    });
  }
  return () => seen;
}

describe('Whether somebody has an address', () => {
  /** Asks as a stranger, and returns all that can be seen of the answers. */
  async function seen(address: string) {
    const stranger = new Browser(service());
    const asked = await stranger.post(LINK, { email: address });
    const page = await stranger.get(LINK);
    const wrong = await stranger.post(USE, { code: 'WRONG2' });
    const plain = (text: string) => text.replaceAll(address, 'SOMEBODY');
    return {
      asked: asked.status,
      location: asked.headers.location,
      ticketLength: stranger.cookies.get('fcs_link')?.length,
      page: plain(page.text),
      wrong: wrong.status,
      wrongPage: plain(wrong.text),
    };
  }

  it('is told by no answer, cookie or page', async () => {
    const disabled = await service().makePerson(owner);
    await service().app.get(PeopleService).disable(COMMAND_LINE, disabled.email, true);
    const known = await seen(email);
    await until(() => mails.to(email).length > 0);

    expect(await seen('nobody@example.com')).toEqual(known);
    expect(await seen(disabled.email)).toEqual(known);

    expect(mails.to('nobody@example.com')).toEqual([]);
    expect(mails.to(disabled.email)).toEqual([]);
  });

  it('is told by no work: the same statements run for all', async () => {
    const seen: string[][] = [];
    for (const address of [email, 'nobody@example.com', 'noone@example.com', email]) {
      const statements = watchStatements();
      await new Browser(service()).post(LINK, { email: address });
      seen.push(statements());
    }
    expect(seen[0]?.length).toBeGreaterThan(3);
    for (const each of seen) expect(each).toEqual(seen[0]);
    await until(() => mails.to(email).length > 1);
  });

  it('is told by no mail server that is slow or down', async () => {
    mails.answer = () => 'hang';
    expect((await browser.post(LINK, { email })).status).toBe(303);
    await mails.hangUp();
    await until(() => service().log.includes('A sign-in mail could not be sent'));
  });
});

it('Old links are removed some day, with old invitations', async () => {
  await ask();
  const links = service().repository(SignInLink);
  const asked = await links.count();
  const leftIn = async (minutes: number) => {
    const now = new Date(clock.now().getTime() + minutes * MINUTE_MS);
    await service().app.get(ExpiredRows).remove({ now });
    return links.count();
  };
  expect(await leftIn(0)).toBe(asked);
  expect(await leftIn(11)).toBeLessThan(asked);
  expect((await browser.get(LINK)).text).toContain('Enter the code where you asked for it');
});

describe('The page to sign in', () => {
  it('says what is wrong with an address', async () => {
    for (const typed of ['', 'jane', 'jane@', 'x'.repeat(5_000)]) {
      const { status, text } = await browser.post(LINK, { email: typed });
      expect({ typed, status }).toEqual({ typed, status: 422 });
      expect(text).toContain('Email address');
    }
    expect((await browser.post(LINK)).status).toBe(422);
    expect((await browser.post(USE)).status).toBe(404);
  });

  it('is not taken from another site', async () => {
    for (const path of [LINK, USE]) {
      const { status } = await browser.post(path, { email }, { 'Sec-Fetch-Site': 'cross-site' });
      expect({ path, status }).toEqual({ path, status: 403 });
    }
  });
});
