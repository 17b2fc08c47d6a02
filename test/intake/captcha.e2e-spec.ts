import { CaptchaTrouble } from '../../src/spam/captcha/captcha-trouble.entity.js';
import { SpentSolutionsRepository } from '../../src/spam/proof-of-work/spent-solutions.repository.js';
import { CaptchaStub, SECRET, SITE_KEY } from '../support/captcha-stub.js';
import { DAY_MS, useClock } from '../support/clock.js';
import type { Browser } from '../support/people.js';
import { solvedOf } from '../support/proof-of-work.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, urlencoded, type Sent } from '../support/submit.js';
import { answers, bombs, drips, hangs, neverEnds, type Behaviour } from '../support/webhook-receiver.js';

let stub: CaptchaStub;
beforeAll(async () => {
  stub = await CaptchaStub.start();
});
afterAll(() => stub.stop());
const service = useService(() => ({ WORKERS: 'off', ...stub.settings }));
const clock = useClock();

const FIELD = {
  turnstile: 'cf-turnstile-response',
  hcaptcha: 'h-captcha-response',
  recaptcha_v2: 'g-recaptcha-response',
  recaptcha_v3: 'g-recaptcha-response',
  friendly_captcha: 'frc-captcha-response',
};
type Provider = keyof typeof FIELD;
const PROVIDERS = Object.keys(FIELD) as Provider[];

let inbox: Inbox;
let calls: number;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  await rules({ captcha: keys('turnstile'), signals: { rate: { enabled: false }, repetition: { enabled: false } } });
  calls = stub.calls.length;
});

const keys = (provider: Provider, more: object = {}) => ({
  ...{ provider, site_key: SITE_KEY, secret: SECRET },
  ...more,
});
const path = (of = inbox) => `/api/v1/forms/${of.form.identifier}` as const;
const put = (spam: object) => inbox.owner.put(`${path()}/spam`, { spam });
const rules = async (spam: object) => (await put(spam).expect(200)).body;
const asked = () => stub.calls.length - calls;
const pairs = (token: string, field = FIELD.turnstile) =>
  [
    [field, token],
    ['a', '1'],
  ] as const;
const withToken = (token: string, field?: string) => urlencoded(pairs(token, field));

const verdict = async (id: string): Promise<unknown> =>
  (await inbox.owner.get(`${path()}/submissions/${id}/verdict`).expect(200)).body;
const judged = async (sent: Sent) => verdict(await inbox.accept(sent));
const CLEAN = { verdict: 'clean', score: 0, parts: [] };
const counted = (reason: string, points = 5) => ({
  verdict: 'held',
  score: 5,
  parts: [{ name: 'captcha', points, reason }],
});
const MISSING = 'The captcha is missing.';
const REFUSED = 'The captcha was not solved.';
const EXPIRED = 'The captcha has expired or was used before.';
const ELSEWHERE = 'The captcha was solved on a page outside the allowed domains.';
const OTHER_USE = 'The captcha was solved for another action.';
const LOW = 'The captcha rates the visitor as a bot.';
const UNREACHABLE = 'The captcha could not be verified because the provider did not respond.';

async function warnings(): Promise<string[]> {
  const { body } = await inbox.owner.get(`${path()}/warnings`).expect(200);
  const all = (body as { warnings: { code: string; message: string }[] }).warnings;
  return all.flatMap(({ code, message }) => (code === 'captcha_unverified' ? [message] : []));
}

describe.each(PROVIDERS)('A captcha of %s', (provider) => {
  beforeEach(() => rules({ captcha: keys(provider) }));
  const field = FIELD[provider];

  it('lets a visitor through who solved it, and its token is never stored', async () => {
    for (const encode of [urlencoded, json, multipart]) {
      const id = await inbox.accept(encode(pairs(stub.solve(), field)));
      expect(await verdict(id)).toEqual(CLEAN);
      expect((await inbox.read(id)).submission.values).toEqual({ a: '1' });
    }
    expect(asked()).toBe(3);
  });

  it('counts a token that is missing, garbled, used or too old, and tells them apart', async () => {
    const used = stub.solve();
    await inbox.accept(withToken(used, field));
    expect(await judged(urlencoded([['a', '1']]))).toEqual(counted(MISSING));
    expect(await judged(withToken('', field))).toEqual(counted(MISSING));
    expect(await judged(withToken('x\0\u00ff', field))).toEqual(counted(REFUSED));
    expect(await judged(withToken(used, field))).toEqual(counted(EXPIRED));
    expect(await judged(withToken(stub.solve({ isOver: true }), field))).toEqual(counted(EXPIRED));
  });

  it('is told the secret apart from the address, and nothing of the visitor', async () => {
    await inbox.accept(withToken(stub.solve(), field));
    const { headers, body } = stub.calls.at(-1) ?? { headers: {}, body: '' };
    expect(JSON.stringify(headers) + body).toContain(SECRET);
    expect(body).not.toMatch(/127\.0\.0\.1|remoteip/);
    expect(service().log).not.toContain(SECRET);
  });

  it('holds what comes while the keys are wrong, blames no visitor for it, and warns the owner', async () => {
    await rules({ captcha: { secret: 'mistyped' } });
    const word = provider === 'friendly_captcha' ? 'auth_invalid' : 'invalid-input-secret';
    const reason = `The captcha could not be verified: ${word}.`;
    expect(await judged(withToken(stub.solve(), field))).toEqual(counted(reason));
    expect(await warnings()).toEqual([expect.stringContaining(`${provider} rejects the captcha keys ("${word}")`)]);

    await rules({ captcha: { secret: SECRET } });
    expect(await warnings()).toEqual([]);
    expect(await judged(withToken(stub.solve(), field))).toEqual(CLEAN);
  });

  it('only counts on pages of the domains that the form names, and anywhere when it names none', async () => {
    const at = (hostname: string) => withToken(stub.solve({ hostname }), field);
    expect(await judged(at('elsewhere.test'))).toEqual(CLEAN);
    await inbox.owner.patch(path(), { form: { whitelisted_domains: 'shop.test, *.shop.test' } }).expect(200);
    const headers = { Origin: 'https://shop.test' };
    const from = (hostname: string) => judged({ ...at(hostname), headers });
    expect(await from('shop.test')).toEqual(CLEAN);
    expect(await from('www.shop.test')).toEqual(CLEAN);
    expect(await from('shop.test.evil.test')).toEqual(counted(ELSEWHERE));
  });
});

describe('How others get captchas wrong', () => {
  it('1: a token is verified once, also when its submission is stored again or repeated by its key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const sent = { ...withToken(stub.solve()), headers };
    const first = await inbox.accept(sent);
    expect(await inbox.accept(sent)).toBe(first);
    expect(asked()).toBe(1);

    // A solution that another instance spends meanwhile makes the submission anew.
    await rules({ signals: { proof_of_work: { enabled: true } } });
    const isSpent = jest.spyOn(SpentSolutionsRepository.prototype, 'isSpent');
    isSpent.mockResolvedValue(false);
    const altcha = await solvedOf(inbox);
    const both = () => urlencoded([...pairs(stub.solve()), ['altcha', altcha]]);
    await inbox.accept(both());
    expect(await judged(both())).toMatchObject({
      parts: [{ name: 'proof_of_work', reason: 'The proof of work was used before.' }],
    });
    expect(asked()).toBe(3);
  });

  it('2: it is verified last, so that what is refused for another reason leaves the token as it was', async () => {
    const token = stub.solve();
    const many = Array.from({ length: 2_000 }, (_, n) => [`f${n}`, ''] as const);
    const { status } = await inbox.submit(urlencoded([...pairs(token), ...many]));
    expect([status, asked()]).toEqual([422, 0]);
    const trapped = urlencoded([...pairs(token), ['_gotcha', 'x']]);
    expect(await judged(trapped)).toMatchObject({ verdict: 'spam', parts: [{ name: 'honeypot' }] });
    expect(asked()).toBe(0);
    expect(await judged(withToken(token))).toEqual(CLEAN);
  });

  it('3: a token that was solved too long ago is told apart from one that was not solved', async () => {
    expect(await judged(withToken(stub.solve({ isOver: true })))).toEqual(counted(EXPIRED));
    expect(await judged(withToken('not-solved'))).toEqual(counted(REFUSED));
  });

  it('4: what a provider does not say is neither passed nor failed, but held', async () => {
    const html = { 'content-type': 'text/html' };
    const found = (body: unknown, status = 200) => answers(status, JSON.stringify(body));
    const silent = [hangs, drips, neverEnds];
    const troubles = [
      bombs,
      answers(500, '{"success":true}'),
      answers(503),
      answers(429, '{"success":false,"error-codes":["invalid-input-response"]}'),
      answers(302, '', { location: 'https://example.com/' }),
      answers(307, '{"success":true}', { location: '/turnstile' }),
      answers(200, '<!doctype html><title>Just a moment</title>', html),
      answers(200, ''),
      found(null),
      found([]),
      found({}),
      found({ success: 'true' }),
      found({ success: 1 }),
      found({ success: true }, 400),
      found({ success: false, 'error-codes': ['internal-error'] }),
      found({ success: false, 'error-codes': ['bad-request', {}] }),
      found({ success: false, 'error-codes': 'invalid-input-response' }),
      found({ success: false }),
    ];
    const send = (behaviour: Behaviour) => inbox.accept(withToken(stub.trouble(behaviour)));
    const ids = await Promise.all(silent.map(send));
    for (const behaviour of troubles) ids.push(await send(behaviour));
    expect(asked()).toBe(silent.length + troubles.length);
    for (const id of ids) expect(await verdict(id)).toEqual(counted(UNREACHABLE));
    expect(await warnings()).toEqual([]);
  });

  it('5: a provider that hangs keeps no other visitor waiting', async () => {
    const other = await Inbox.open(service());
    const ended: string[] = [];
    const held = inbox.accept(withToken(stub.trouble(hangs))).finally(() => ended.push('held'));
    await other.accept(withToken('x')).finally(() => ended.push('other'));
    expect(await verdict(await held)).toEqual(counted(UNREACHABLE));
    expect(ended).toEqual(['other', 'held']);
  });

  it('6: what a provider does not answer is held and no more, whatever else is found and it is worth', async () => {
    await rules({ signals: { captcha: { points: 50 }, links: { points: 4 } } });
    const linked = urlencoded([
      ...pairs(stub.trouble(answers(503))),
      ['b', 'https://a.test https://b.test https://c.test'],
    ]);
    expect(await judged(linked)).toMatchObject({
      verdict: 'held',
      score: 8,
      parts: [
        { name: 'links', points: 8 },
        { name: 'captcha', points: 0 },
      ],
    });
    expect(await judged(withToken('x'))).toMatchObject({ verdict: 'spam', score: 50 });
  });

  it('7: the secret is in no address, since those are logged', async () => {
    for (const provider of PROVIDERS) {
      await rules({ captcha: keys(provider) });
      await inbox.accept(withToken(stub.solve(), FIELD[provider]));
    }
    const paths = stub.calls.slice(calls).map(({ path }) => path);
    expect(paths).toEqual(['/turnstile', '/hcaptcha', '/recaptcha', '/recaptcha', '/friendly']);
    expect(service().log).not.toContain(SECRET);
  });

  it('8: a token may be longer than a field, and one of 1 MB is refused unseen', async () => {
    for (const encode of [urlencoded, json, multipart]) {
      expect(await judged(encode(pairs('A'.repeat(1e6))))).toEqual(counted(REFUSED));
    }
    const list = { type: 'application/json', body: `{"${FIELD.turnstile}":[{"a":1}],"a":1}` };
    expect(await judged(list)).toEqual(counted(REFUSED));
    expect(asked()).toBe(1);
    await rules({ captcha: null });
    expect(await inbox.values(withToken('A'.repeat(1e6)))).toEqual({ a: '1' });
  });

  it('9: a token that was solved on another page, for something else or by a program is not good here', async () => {
    await rules({ captcha: keys('recaptcha_v3', { action: 'contact', min_score: 0.7 }) });
    const solved = (given: object) =>
      judged(withToken(stub.solve({ action: 'contact', ...given }), FIELD.recaptcha_v3));
    expect(await solved({ score: 0.7 })).toEqual(CLEAN);
    expect(await solved({ score: 0.69 })).toEqual(counted(LOW));
    expect(await solved({ action: 'login' })).toEqual(counted(OTHER_USE));
    const older = stub.trouble(answers(200, '{"success":true,"action":"contact"}'));
    expect(await judged(withToken(older, FIELD.recaptcha_v3))).toEqual(
      counted('The captcha could not be verified: keys of another version.'),
    );
    await rules({ captcha: keys('turnstile', { action: 'contact' }) });
    expect(await judged(withToken(stub.solve({ action: 'login' })))).toEqual(counted(OTHER_USE));
  });

  it('10: the second field that hCaptcha fills in is the same token', async () => {
    await rules({ captcha: keys('hcaptcha') });
    const twice = (token: string) => urlencoded([...pairs(token, FIELD.hcaptcha), [FIELD.recaptcha_v2, token]]);
    expect(await inbox.values(twice(stub.solve()))).toEqual({ a: '1' });
    const old = withToken(stub.solve(), FIELD.recaptcha_v2);
    expect(await judged(old)).toEqual(CLEAN);
    expect(asked()).toBe(2);
  });
});

describe('A form', () => {
  it('asks nobody about whom it allows', async () => {
    await inbox.owner.put(`${path()}/spam/lists`, { lists: { allow: 'ann@a.test' } }).expect(200);
    const sent = urlencoded([...pairs('x'), ['email', 'ann@a.test']]);
    expect(await judged(sent)).toMatchObject({ verdict: 'clean' });
    expect(asked()).toBe(0);
  });

  it('asks nobody while the signal is off, or without a captcha', async () => {
    await rules({ signals: { captcha: { enabled: false } } });
    expect(await judged(withToken('x'))).toEqual(CLEAN);
    await rules({ signals: { captcha: { enabled: true } }, captcha: null });
    expect(await judged(withToken('x'))).toEqual(CLEAN);
    expect(asked()).toBe(0);
    const kept = { 'frc-captcha-response': 'x', a: '1' };
    expect(await inbox.values(withToken('x', FIELD.friendly_captcha))).toEqual(kept);
  });

  it('never shows its secret again, and keeps it until there is another', async () => {
    const shown = { provider: 'turnstile', site_key: SITE_KEY, action: null, min_score: 0.5 };
    const before = await rules({});
    expect(before).toMatchObject({ spam: { captcha: shown } });
    expect(await rules(before.spam)).toEqual(before);
    expect(await judged(withToken(stub.solve()))).toEqual(CLEAN);
    await rules({ captcha: { action: 'contact', min_score: 0.1 } });
    expect(await rules({ captcha: { action: null } })).toMatchObject({
      spam: { captcha: { ...shown, min_score: 0.1 } },
    });
    const seen = await Promise.all(
      [path(), '/api/v1/forms', '/api/v1/audit'].map((each) => inbox.owner.get(each).expect(200)),
    );
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain(SECRET);
  });

  it('begins anew with another provider, and names what is missing or wrong', async () => {
    const refused = (field: string, code = 'invalid_fields') => refusal(422, code, field);
    const of = (captcha: unknown) => put({ captcha });
    await of({ provider: 'hcaptcha', site_key: 'x' }).expect(refused('spam.captcha.secret', 'captcha_incomplete'));
    await of({ provider: 'hcaptcha', secret: 'x' }).expect(refused('spam.captcha.site_key', 'captcha_incomplete'));
    await of(null).expect(200);
    await of({ secret: 'x' }).expect(refused('spam.captcha.provider', 'captcha_incomplete'));
    await of({ provider: 'mcaptcha' }).expect(refused('spam.captcha.provider'));
    await of(keys('turnstile', { secret: 'a b' })).expect(refused('spam.captcha.secret'));
    await of(keys('turnstile', { site_key: '' })).expect(refused('spam.captcha.site_key'));
    await of(keys('turnstile', { action: '"' })).expect(refused('spam.captcha.action'));
    await of(keys('turnstile', { min_score: 1.1 })).expect(refused('spam.captcha.min_score'));
    await of(keys('turnstile', { secret: null })).expect(refused('spam.captcha.secret'));
    await of('turnstile').expect(refused('spam.captcha'));
  });

  it('that is judged again asks nobody again, and still holds what could not be verified', async () => {
    const unknown = await inbox.accept(withToken(stub.trouble(answers(503))));
    const wrong = await inbox.accept(withToken('x'));
    expect(asked()).toBe(2);
    await rules({ signals: { captcha: { points: 8 } } });
    await inbox.owner.post(`${path()}/submissions/rejudge`, { q: '' }).expect(202);
    await service().upkeep();
    expect(await verdict(unknown)).toEqual(counted(UNREACHABLE));
    expect(await verdict(wrong)).toMatchObject({ verdict: 'held', score: 8 });
    expect(asked()).toBe(2);
  });

  it('is warned for a day of keys that are refused, which goes with the form', async () => {
    await rules({ captcha: { secret: 'mistyped' } });
    await inbox.accept(withToken(stub.solve()));
    expect(await warnings()).toHaveLength(1);
    clock.forward(DAY_MS);
    expect(await warnings()).toEqual([]);
    await inbox.accept(withToken(stub.solve()));
    expect(await warnings()).toHaveLength(1);

    const left = () => service().repository(CaptchaTrouble).countBy({ formId: inbox.form.id });
    expect(await left()).toBe(1);
    await inbox.owner.delete(path()).expect(200);
    await service().upkeep();
    expect(await left()).toBe(0);
  });
});

describe('The pages of a form', () => {
  let jane: Browser;
  beforeEach(async () => {
    jane = await service().makeBrowser(inbox.owner);
  });
  const page = () => `/forms/${inbox.form.identifier}/spam`;
  const BANDS = { 'spam.held_at': '5', 'spam.spam_at': '10' };
  const TYPED = {
    ...BANDS,
    'spam.captcha.provider': 'hcaptcha',
    'spam.captcha.site_key': ' another-key ',
    'spam.captcha.secret': 'another-secret',
    'spam.captcha.action': '',
    'spam.captcha.min_score': '0,7',
    'spam.proof_of_work.require': 'true',
  };

  it('take a captcha, without script, keep its secret and never show it', async () => {
    expect((await jane.get(page())).text).toContain(`value="${SITE_KEY}"`);
    await jane.post(page(), TYPED);
    const shown = { provider: 'hcaptcha', site_key: 'another-key', action: null, min_score: 0.7 };
    expect(await rules({})).toMatchObject({ spam: { captcha: shown, proof_of_work: { require: true } } });
    await jane.post(page(), { ...TYPED, 'spam.captcha.secret': '' });
    expect(await rules({})).toMatchObject({ spam: { captcha: shown } });
    const { text } = await jane.get(page());
    expect(text).toContain('value="another-key"');
    expect(text).not.toContain('another-secret');
    await jane.post(page(), { ...BANDS, 'spam.captcha.provider': '' });
    expect(await rules({})).toMatchObject({ spam: { captcha: null, proof_of_work: { require: false } } });
  });

  it('leave it as it is when they do not show it, and keep what was typed and is wrong', async () => {
    const before = await rules({});
    await jane.post(page(), BANDS);
    expect(await rules({})).toEqual(before);
    const answer = await jane.post(page(), { ...TYPED, 'spam.captcha.secret': '' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="another-key"');
    expect(answer.text).toContain('href="#f-spam-captcha-secret"');
    expect(await rules({})).toEqual(before);
  });

  it('have a snippet of each provider with its key, and lead to the keys that are refused', async () => {
    const form = `/forms/${inbox.form.identifier}`;
    const shown = async () => (await jane.get(`${form}/setup`)).text;
    for (const provider of PROVIDERS) {
      await rules({ captcha: keys(provider) });
      expect(await shown()).toContain(SITE_KEY);
    }
    await rules({ captcha: keys('turnstile', { secret: 'mistyped' }) });
    await inbox.accept(withToken(stub.solve()));
    expect((await jane.get(form)).text).toContain(`${page()}#f-spam-captcha-secret`);
    await rules({ captcha: null });
    expect(await shown()).not.toContain(SITE_KEY);
  });
});
