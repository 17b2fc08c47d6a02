import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { DAY_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { hiddenOf } from '../support/page.js';
import { Browser, PASSWORD } from '../support/people.js';
import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';

const mailbox = useMailServer();
const service = useService(() => ({ SMTP_URL: mailbox.url }));
const clock = useClock();
let owner: Caller;
let email: string;
let browser: Browser;
beforeEach(async () => {
  ({ owner, email, browser } = await service().openWithOwner());
});

const CONFIRM = 'Verify your new email address';
const PROVE = 'Verify your email address';
let made = 0;
const newAddress = () => `new${++made}@example.org`;

const mailsTo = (to: string, subject: string) =>
  mailbox.mails.filter((sent) => sent.to.includes(to) && sent.mail.subject === subject);

/** Returns the part after # in the link that the address got. */
async function linkTo(address: string, mails = 1, subject = CONFIRM): Promise<string> {
  await until(() => mailsTo(address, subject).length === mails);
  const text = mailsTo(address, subject).at(-1)?.mail.text ?? '';
  return /\/account\/email\/confirm#([\w-]+)/.exec(text)?.[1] ?? '';
}

async function asked(address: string, at = browser): Promise<string> {
  const before = mailsTo(address, CONFIRM).length;
  expect((await at.post('/account/email', { email: address })).status).toBe(200);
  return linkTo(address, before + 1);
}

const signsIn = async (address: string) => (await new Browser(service()).signIn(address)).status === 303;

describe('An address that nobody has shown to be theirs', () => {
  beforeEach(async () => {
    const person = await service().app.get(PeopleRepository).getByEmail(email);
    await service().unprove(person);
  });
  const ways = {
    'account page': () => browser.post('/account/email/proof'),
    'mails of a form': () => browser.post('/account/email/framed-proof'),
    API: () => browser.call('post', '/api/v1/me/email', { email }),
  };

  it.each(Object.entries(ways))('is proved by a mail that the %s asks for', async (_, ask) => {
    const phone = await Browser.of(service(), email);
    expect((await browser.get('/account')).text).toContain('/account/email/proof');

    expect((await ask()).status).toBe(200);
    const link = await linkTo(email, 1, PROVE);
    const done = await browser.post('/account/email/confirm', { link });

    expect(done.headers.location).toBe('/account');
    const { text } = await browser.get('/account');
    expect(text).toContain('Address verified.');
    expect(text).not.toContain('/account/email/proof');
    expect((await phone.get('/account')).status).toBe(303);
    expect(await signsIn(email)).toBe(true);
    expect((await owner.read('/api/v1/audit?action=person.email_proved')).entries).toHaveLength(1);
  });

  it('is asked for where it is missing, and no more once it is there', async () => {
    const page = await owner.firstPath(await owner.makeForm(), 'team');
    const proof = '/account/email/framed-proof';
    const tests = `${page}/preview/tests`;
    await browser.post('/views', { 'view.name': 'Mine', 'view.q': 'is:unread' });

    const before = (await browser.get(page)).text;
    expect([before.includes(proof), before.includes(tests)]).toEqual([true, false]);
    expect((await browser.get('/views')).text).toContain('/account/email/proof');
    await browser.post('/account/email/proof');
    await browser.post('/account/email/confirm', { link: await linkTo(email, 1, PROVE) });
    const after = (await browser.get(page)).text;
    expect([after.includes(proof), after.includes(tests)]).toEqual([false, true]);
    expect((await browser.post('/account/email/proof')).status).toBe(200);
    expect(mailsTo(email, PROVE)).toHaveLength(1);
  });
});

describe('A new address', () => {
  it('is what one signs in with once its link was opened; both addresses are told', async () => {
    const next = newAddress();
    const link = await asked(next);
    const phone = await Browser.of(service(), email);
    expect(await signsIn(next)).toBe(false);
    expect((await browser.get('/account/email/confirm')).text).toContain('data-fragment');

    const done = await browser.post('/account/email/confirm', { link });

    expect(done.headers.location).toBe('/account');
    expect([await signsIn(next), await signsIn(email)]).toEqual([true, false]);
    expect((await browser.get('/account')).text).toContain(next);
    expect((await phone.get('/account')).status).toBe(303);
    const changed = 'Your sign-in settings changed';
    await until(() => mailsTo(email, changed).length > 0 && mailsTo(next, changed).length > 0);
    expect((await owner.read('/api/v1/audit?action=person.email_changed')).entries).toHaveLength(1);
  });

  it('is changed by the API just so', async () => {
    const next = newAddress();
    expect((await browser.call('post', '/api/v1/me/email', { email: next })).status).toBe(200);
    const link = await linkTo(next);
    expect((await browser.call('post', '/api/v1/me/email/confirm', { link })).status).toBe(200);
    expect(await signsIn(next)).toBe(true);
  });

  it('is asked for once more when it is none, and nothing is lost', async () => {
    const refused = await browser.post('/account/email', { email: 'jane@' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="jane@"');
    expect((await browser.call('post', '/api/v1/me/email', { email: 'jane@' })).status).toBe(422);
  });

  it('that somebody has already gets no mail, and the answer does not tell', async () => {
    const { email: theirs } = await service().makePerson(owner);
    const next = newAddress();
    const answers = [theirs, next].map(async (address) => {
      const { status, text } = await browser.post('/account/email', { email: address });
      return { status, text: text.replaceAll(address, 'IT') };
    });
    const [taken, free] = await Promise.all(answers);
    expect(taken).toEqual(free);
    await linkTo(next);
    expect(mailsTo(theirs, CONFIRM)).toEqual([]);
  });

  it('needs a fresh proof, and keeps what was typed', async () => {
    const link = await asked(newAddress());
    clock.forward(11 * MINUTE_MS);
    const interrupted = await browser.post('/account/email', { email: 'a@example.org' });
    expect([interrupted.status, hiddenOf(interrupted.text).email]).toEqual([403, 'a@example.org']);
    const confirmed = await browser.post('/account/email/confirm', { link });
    expect([confirmed.status, hiddenOf(confirmed.text).link]).toEqual([403, link]);
    await browser.post('/confirm', { ...hiddenOf(confirmed.text), proof_password: PASSWORD });
    expect((await browser.post('/account/email/confirm', { link })).status).toBe(303);
  });
});

describe('The link to a new address is refused', () => {
  it('a second time, after another change, and after a day', async () => {
    const [first, second] = [await asked(newAddress()), await asked(newAddress())];
    expect((await browser.post('/account/email/confirm', { link: first })).status).toBe(303);
    for (const link of [first, second]) {
      const late = await browser.post('/account/email/confirm', { link });
      expect(late.status).toBe(404);
      expect(late.text).toContain('Ask for a new one');
    }
    const third = await asked(newAddress());
    clock.forward(DAY_MS + MINUTE_MS);
    await browser.post('/confirm', { proof_to: '/', proof_password: PASSWORD });
    expect((await browser.post('/account/email/confirm', { link: third })).status).toBe(404);
  });

  it('to another person, and to nobody at all', async () => {
    const link = await asked(newAddress());
    const { email: theirs } = await service().makePerson(owner);
    const other = await Browser.of(service(), theirs);
    expect((await other.post('/account/email/confirm', { link })).status).toBe(404);
    expect((await other.post('/account/email/confirm', { link: 'x' })).status).toBe(404);
    expect((await other.post('/account/email/confirm')).status).toBe(404);
    const stranger = await new Browser(service()).post('/account/email/confirm', { link });
    expect(stranger.headers.location).toBe('/sign-in');
    expect(await signsIn(theirs)).toBe(true);
  });

  it('when somebody else took the address meanwhile', async () => {
    const next = newAddress();
    const link = await asked(next);
    const other = await service().makeBrowser(owner);
    const faster = await asked(next, other);
    expect((await other.post('/account/email/confirm', { link: faster })).status).toBe(303);
    const late = await browser.call('post', '/api/v1/me/email/confirm', { link });
    expect(late.body).toMatchObject({ status: 409 });
    expect(await signsIn(email)).toBe(true);
  });
});
