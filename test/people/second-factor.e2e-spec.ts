import { MINUTE_MS, useClock } from '../support/clock.js';
import { hiddenOf } from '../support/page.js';
import { Browser, PASSWORD } from '../support/people.js';
import { codeOf as codeAt, switchOnTotp } from '../support/second-factor.js';
import { useService, type Caller } from '../support/service.js';

const service = useService();
const clock = useClock();
let owner: Caller;
let email: string;
let browser: Browser;
beforeEach(async () => {
  ({ owner, email, browser } = await service().openWithOwner());
});

const codeOf = (secret: string) => codeAt(secret, clock);
const addTotp = () => switchOnTotp(browser, clock);

describe('A second factor', () => {
  it('is asked for at sign-in; without it nothing opens', async () => {
    const { secret } = await addTotp();
    const other = new Browser(service());
    const asked = await other.signIn(email, PASSWORD, { next: '/account?a=1' });
    expect(asked.headers.location).toBe('/sign-in/code?next=%2Faccount%3Fa%3D1');
    expect((await other.get('/account')).status).toBe(303);
    expect((await other.get('/sign-in/code')).status).toBe(200);
    expect((await browser.get('/account')).text.match(/name="session"/g)).toBeNull();
    expect((await other.post('/sign-in/code', { code: '000000' })).status).toBe(422);
    expect((await other.get('/account')).status).toBe(303);

    clock.forward(MINUTE_MS);
    const done = await other.post('/sign-in/code', { code: codeOf(secret), next: '/account?a=1' });

    expect(done.headers.location).toBe('/account?a=1');
    expect((await other.get('/account')).text).toContain(email);
  });

  it('is taken once, also by two at the same time', async () => {
    const { secret, codes } = await addTotp();
    clock.forward(MINUTE_MS);
    for (const code of [codeOf(secret), codes[0] ?? '']) {
      const two = [new Browser(service()), new Browser(service())];
      for (const each of two) await each.signIn(email);
      const answers = await Promise.all(two.map((each) => each.post('/sign-in/code', { code })));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    }
    expect(codes).toHaveLength(10);
    expect((await browser.get('/account')).text).toContain('9 recovery codes are left');
  });

  it('has to come within ten minutes, and not without the password', async () => {
    const { secret } = await addTotp();
    const other = await Browser.of(service(), email);
    clock.forward(10 * MINUTE_MS);
    const late = await other.post('/sign-in/code', { code: codeOf(secret) });
    expect(late.headers.location).toBe('/sign-in');
    const none = await new Browser(service()).post('/sign-in/code', { code: codeOf(secret) });
    expect(none.headers.location).toBe('/sign-in');
  });

  it('is not added by a code that does not fit, and ends all other sessions', async () => {
    const phone = await Browser.of(service(), email);
    const { secret = '' } = hiddenOf((await browser.get('/account/totp')).text);
    const wrong = await browser.post('/account/totp', { secret, code: '12345' });
    expect(wrong.status).toBe(422);
    expect(hiddenOf(wrong.text).secret).toBe(secret);
    expect((await phone.get('/account')).status).toBe(200);

    await addTotp();

    expect((await phone.get('/account')).status).toBe(303);
  });

  it('allows a password of twelve characters, and is given up with a fresh proof', async () => {
    const password = 'foggy kettle';
    const change = () => browser.post('/account/password', { current: PASSWORD, password });
    expect((await change()).status).toBe(422);
    await addTotp();
    expect((await change()).status).toBe(303);

    await browser.post('/account/totp/remove');

    expect((await new Browser(service()).signIn(email, password)).headers.location).toBe('/');
  });

  it('goes with the way back in that the operator gives', async () => {
    await addTotp();
    const code = await service().setupCodeOf(owner);
    await browser.post('/setup', { code, email, name: 'Ada', password: PASSWORD });
    expect((await new Browser(service()).signIn(email)).headers.location).toBe('/');
  });
});

describe('What changes how one signs in', () => {
  it('asks for the password after ten minutes, and loses nothing that was typed', async () => {
    const { secret = '' } = hiddenOf((await browser.get('/account/totp')).text);
    clock.forward(10 * MINUTE_MS);
    const typed = { secret, code: codeOf(secret) };
    const asked = await browser.post('/account/totp', typed);
    expect(asked.status).toBe(403);
    const kept = hiddenOf(asked.text);
    expect(kept).toMatchObject(typed);
    const former = browser.session;

    const wrong = await browser.post('/confirm', { ...kept, proof_password: 'another' });
    expect(wrong.status).toBe(422);
    expect(hiddenOf(wrong.text)).toEqual(kept);
    const proved = await browser.post('/confirm', { ...kept, proof_password: PASSWORD });

    expect([proved.status, proved.headers.location]).toEqual([307, '/account/totp']);
    expect(browser.session).not.toBe(former);
    expect((await browser.post('/account/totp', typed)).text).toContain('recovery codes');
  });

  it('asks before a page too, and leads nowhere else', async () => {
    clock.forward(10 * MINUTE_MS);
    const asked = await browser.get('/account/totp');
    expect(asked.status).toBe(403);
    const kept = { ...hiddenOf(asked.text), proof_password: PASSWORD };
    expect((await browser.post('/confirm', kept)).headers.location).toBe('/account/totp');
    const evil = await browser.post('/confirm', { ...kept, proof_to: '//evil.example' });
    expect(evil.headers.location).toBe('/');
  });
});
