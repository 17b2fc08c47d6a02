import { saveSettings } from '../support/page-forms.js';
import type { Schemas } from '../../build/api.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { LookUps } from '../../src/spam/lists/spam-lists.service.js';
import { SpamList } from '../../src/spam/lists/spam-list.entity.js';
import { useClock } from '../support/clock.js';

import { elementsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, send, named, urlencoded, type Sent } from '../support/submit.js';

const service = useService({ WORKERS: 'off', RATE_LIMIT_ADDRESS: '1000' });
const clock = useClock();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  await judgeEach();
});

/** Has each submission judged, also what one sender sends twice at once. */
const judgeEach = () => inbox.owner.put(`${path()}/intake`, { intake: { merge_repeats: false } }).expect(200);

type VerdictBody = Schemas['VerdictDto'];
type Rules = { signals: Record<string, { enabled: boolean; points: number }> } & Record<string, unknown>;

const path = () => `/api/v1/forms/${inbox.form.identifier}` as const;
const TRAPPED = urlencoded([['_gotcha', 'x']]);

async function rules(change?: object): Promise<Rules> {
  const asked = change ? inbox.owner.put(`${path()}/spam`, { spam: change }) : inbox.owner.get(`${path()}/spam`);
  return (await asked.expect(200)).body.spam as Rules;
}

const verdict = async (id: string): Promise<VerdictBody> =>
  await inbox.owner.read(`${path()}/submissions/${id}/verdict`);

const mark = (id: string, spam: boolean) =>
  inbox.owner.patch(`${path()}/submissions/${id}`, { submission: { spam } }).expect(200);

describe('The verdict on a submission', () => {
  it('is the sum of its parts, each with a sentence', async () => {
    const reason = 'The honeypot field "_gotcha" was filled in.';
    expect(await verdict(await inbox.accept(TRAPPED))).toEqual({
      verdict: 'spam',
      score: 10,
      parts: [{ name: 'honeypot', points: 10, reason }],
    });
    const clean = await inbox.accept(urlencoded([['a', '1']]));
    expect(await verdict(clean)).toEqual({ verdict: 'clean', score: 0, parts: [] });
  });

  it('says what a person decided, by a part that makes the sum come out', async () => {
    const id = await inbox.accept(TRAPPED);
    await mark(id, false);
    expect(await verdict(id)).toMatchObject({
      verdict: 'clean',
      score: 0,
      parts: [{ name: 'honeypot' }, { name: 'by_hand', points: -10 }],
    });
    const other = await inbox.accept(urlencoded([['a', '1']]));
    await mark(other, true);
    expect(await verdict(other)).toMatchObject({ verdict: 'spam', score: 10 });
    await mark(other, false);
    expect(await verdict(other)).toMatchObject({ verdict: 'clean', score: 0 });
  });

  it('goes by the weights of the form from then on', async () => {
    await rules({ signals: { honeypot: { points: 6 } } });
    const held = await inbox.accept(TRAPPED);
    expect(await verdict(held)).toMatchObject({ verdict: 'held', score: 6 });
    expect((await inbox.read(held)).submission).toMatchObject({ spam: false, spam_reason: null });
    expect(await inbox.count()).toBe(1);

    await rules({ spam_at: 6 });
    expect(await verdict(await inbox.accept(TRAPPED))).toMatchObject({ verdict: 'spam' });

    await rules({ signals: { honeypot: { enabled: false } } });
    expect(await verdict(await inbox.accept(TRAPPED))).toMatchObject({ parts: [] });
    expect(await verdict(held)).toMatchObject({ verdict: 'held', score: 6 });
  });
});

describe('The signals', () => {
  const OFFER = 'We offer first class search engine optimisation for your website and more customers every day.';
  const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };

  it('hold a bot that sends the same over and over, and leave alone who writes in between', async () => {
    const bands = [];
    for (let time = 0; time < 3; time++) {
      const sent = urlencoded([['message', OFFER]]);

      const id = await inbox.accept({ ...sent, headers: BROWSER });
      bands.push((await verdict(id)).verdict);
    }
    expect(bands).toEqual(['clean', 'held', 'held']);
    const person = urlencoded([['message', 'Could you bake a cake for sixty people by Saturday?']]);
    const headers = { ...BROWSER, 'Accept-Language': 'de' };
    expect(await verdict(await inbox.accept({ ...person, headers }))).toMatchObject({ parts: [] });
  });

  it('never take many from one address alone for more than they are', async () => {
    let last = '';
    for (let time = 0; time < 12; time++) last = await inbox.accept(urlencoded([['a', '1']]));
    expect(await verdict(last)).toEqual({ verdict: 'clean', score: 0, parts: [] });
    const { parts } = await verdict(await inbox.accept(TRAPPED));
    expect(parts.map(({ name }) => name)).toEqual(['honeypot', 'rate']);
  });

  it('know honeypots of any name that the form says, which are never stored', async () => {
    await rules({ honeypots: ['website', 'fax'] });
    const id = await inbox.accept(named({ fax: '1', a: '1' }));
    expect(await verdict(id)).toMatchObject({ verdict: 'spam', parts: [{ name: 'honeypot' }] });
    expect((await inbox.read(id)).submission.values).toEqual({ a: '1' });
    const put = (spam: object) => inbox.owner.put(`${path()}/spam`, { spam });
    await put({ honeypots: [''] }).expect(refusal(422, 'invalid_fields', 'spam.honeypots'));
    await put({ scripts: ['Klingon'] }).expect(refusal(422, 'invalid_fields', 'spam.scripts'));
  });
});

describe('What a form blocks and allows', () => {
  const put = (lists: object) => inbox.owner.put(`${path()}/spam/lists`, { lists });
  const change = async (lists: object) => (await put(lists).expect(200)).body;
  const from = (email: string, message = 'Hello') => named({ email, message });
  const judged = async (sent: Sent) => verdict(await inbox.accept(sent));

  it('is kept in its normal form, each once, and changes by what is named', async () => {
    const lists = { block: 'Casino*\r\n\r\ncasino*\n*@Spam.test', allow: 'Ann@Example.com' };
    const kept = { lists: { block: 'casino*\nspam.test', allow: 'ann@example.com' } };
    expect(await change(lists)).toEqual(kept);
    expect(await change({})).toEqual(kept);
    expect((await inbox.owner.get(`${path()}/spam/lists`).expect(200)).body).toEqual(kept);
    expect(await change({ block: '' })).toEqual({ lists: { block: '', allow: 'ann@example.com' } });
  });

  it('files what is blocked with its reason, at once and by the weight of the form', async () => {
    expect(await judged(from('ann@spam.test'))).toMatchObject({ verdict: 'clean' });
    await change({ block: 'spam.test\ncasino' });
    expect(await judged(from('ann@mail.spam.test'))).toEqual({
      verdict: 'spam',
      score: 10,
      parts: [{ name: 'lists', points: 10, reason: 'This form blocks the domain "spam.test".' }],
    });
    await rules({ signals: { lists: { points: 6 } } });
    expect(await judged(from('a@b.test', 'Our Casino!'))).toMatchObject({ verdict: 'held' });
    await rules({ signals: { lists: { enabled: false } } });
    expect(await judged(from('ann@spam.test'))).toMatchObject({ verdict: 'clean' });
  });

  it('blocks networks and names none of them, since addresses are not always kept', async () => {
    await change({ block: '127.0.0.0/8\n::1' });
    expect((await judged(from('a@b.test'))).parts).toMatchObject([
      { name: 'lists', reason: 'This form blocks the network that it came from.' },
    ]);
  });

  it('lets through whom it allows, whatever is found, but for a filled honeypot', async () => {
    await inbox.owner.patch(path(), { form: { whitelisted_domains: 'shop.test' } }).expect(200);
    expect(await judged(from('ann@example.com'))).toMatchObject({ verdict: 'spam', score: 10 });
    await change({ allow: 'ann@example.com', block: 'example.com' });
    expect(await judged(from('ann@example.com'))).toMatchObject({
      verdict: 'clean',
      score: 0,
      parts: [{ name: 'origin' }, { name: 'lists', points: -10 }],
    });
    expect(await judged(from('x@y.test', 'ask ann@example.com'))).toMatchObject({ verdict: 'spam', score: 20 });
    const trapped = named({ email: 'ann@example.com', _gotcha: 'x' });
    expect(await judged(trapped)).toMatchObject({ verdict: 'spam', score: 10 });
    await rules({ signals: { honeypot: { enabled: false } } });
    expect(await judged(trapped)).toMatchObject({ verdict: 'clean' });
  });

  it('holds what it could not look up, as when that takes too long, until somebody looks', async () => {
    await change({ block: 'spam.test' });
    const looks = jest.spyOn(service().app.get(LookUps), 'of').mockRejectedValue(new Error('late'));
    const id = await inbox.accept(from('ann@spam.test'));
    looks.mockRestore();
    const part = { name: 'lists', points: 5, reason: expect.stringContaining('in time') as unknown };
    expect(await verdict(id)).toMatchObject({ verdict: 'held', score: 5, parts: [part] });
    expect(await judged(from('ann@spam.test'))).toMatchObject({ verdict: 'spam' });
  });

  it('takes 100,000 entries, and no more', async () => {
    const long = Array.from({ length: 100_000 }, (_, n) => `person${n}@mail${n}.test`);
    await change({ block: long.join('\n') });
    // A busy machine may need longer than visitors wait, who are then held.
    await service().app.get(LookUps).of(inbox.form.id);
    expect(await judged(from('person99999@mail99999.test'))).toMatchObject({ verdict: 'spam' });
    expect(await judged(from('person@mail.test'))).toMatchObject({ verdict: 'clean' });
    await put({ block: [...long, 'one.test'].join('\n') }).expect(refusal(422, 'spam_list_too_long', 'lists.block'));
    await put({ block: 'x'.repeat(9e6) }).expect(refusal(413, 'body_too_large'));
  });

  it('has room in its account up to a size, which no other account takes', async () => {
    const long = Array.from({ length: 38_000 }, (_, n) => `${'x'.repeat(100)}${n}`).join('\n');
    const other = await inbox.owner.makeForm({ name: 'Other' });
    const putOther = (block: string) =>
      inbox.owner.put(`/api/v1/forms/${other.identifier}/spam/lists`, { lists: { block } });
    await change({ block: long, allow: '' });
    await putOther(long).expect(200);
    await put({ allow: long }).expect(refusal(422, 'spam_lists_full', 'lists'));
    await putOther('').expect(200);
    await change({ allow: long });

    const stranger = await service().openAccount('Stranger', 'stranger@example.com');
    const theirs = await stranger.makeForm({ name: 'Theirs' });
    await stranger.put(`/api/v1/forms/${theirs.identifier}/spam/lists`, { lists: { block: 'casino' } }).expect(200);
  });

  it('goes with its form', async () => {
    await change({ block: 'casino' });
    const left = () => service().repository(SpamList).countBy({ formId: inbox.form.id });
    expect(await left()).toBe(1);
    await inbox.owner.delete(path()).expect(200);
    await service().upkeep();
    expect(await left()).toBe(0);
  });

  it('names lines that it cannot read, and other things that are wrong', async () => {
    await put({ allow: 'a.test\n(a+)+$' }).expect(refusal(422, 'spam_list_unclear', 'lists.allow'));
    await put({ block: ['casino'] }).expect(refusal(422, 'invalid_fields', 'lists.block'));
    await put({ deny: 'casino' }).expect(refusal(422, 'invalid_fields', 'lists.deny'));
  });
});

describe('The time that a form took', () => {
  const ask = (of = inbox) => send(`${of.url}/token`, { method: 'GET' });
  const tokenOf = async (of = inbox) => String((await ask(of)).body.token);
  const withToken = (token: string) => named({ _token: token, a: '1' });
  const judged = async (sent: Sent) => verdict(await inbox.accept(sent));

  it.each([
    [0, 'held', 5],
    [1_990, 'held', 5],
    [2_100, 'clean', 2],
    [3_900, 'clean', 2],
    [4_100, 'clean', 0],
    [23 * 3_600_000, 'clean', 0],
    [25 * 3_600_000, 'clean', 1],
    [-5_000, 'clean', 0],
  ])('is told by the token: after %d ms it is %s with %d points', async (ms, band, score) => {
    clock.stop();
    const token = await tokenOf();
    clock.forward(ms);
    expect(await judged(withToken(token))).toMatchObject({ verdict: band, score });
  });

  it('is told to pages of any origin, anew each time, within the limit of the address', async () => {
    const { status, headers, body } = await ask();
    expect([status, Object.keys(body)]).toEqual([200, ['token', 'proof', 'texts']]);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    const left = async () => /r=(\d+)/.exec((await ask()).headers.get('RateLimit') ?? '')?.[1];
    expect(Number(await left()) - Number(await left())).toBe(1);
    expect((await send(`${inbox.url.slice(0, -1)}x/token`, { method: 'GET' })).status).toBe(404);
  });

  it('is not asked for, and a token is not stored', async () => {
    expect(await judged(urlencoded([['a', '1']]))).toMatchObject({ parts: [] });
    expect(await judged(withToken(''))).toMatchObject({ parts: [] });
    expect(await inbox.values(withToken(await tokenOf()))).toEqual({ a: '1' });
  });

  it('is not told by a token that is sent over and over, as by a bot; some times are nothing', async () => {
    clock.stop();
    const token = await tokenOf();
    clock.forward(60_000);
    await rules({ signals: { rate: { enabled: false } } });
    const scores = [];
    for (let time = 0; time < 21; time++) scores.push((await judged(withToken(token))).score);
    expect(scores).toEqual([...Array<number>(20).fill(0), 2]);
    clock.forward(1);
    const other = await tokenOf();
    clock.forward(60_000);
    expect(await judged(withToken(other))).toMatchObject({ score: 0 });
  });

  it('is unknown for a token that is garbled, altered, foreign or 1 MB long: one point, and it is stored', async () => {
    await rules({ signals: { rate: { enabled: false } } });
    const token = await tokenOf();
    const foreign = await tokenOf(await Inbox.open(service()));
    const bad = ['x', '\0\u00ff', `${token}x`.slice(1), foreign, 'A'.repeat(1e6)];
    for (const each of bad) {
      const pairs = [
        ['_token', each],
        ['a', '1'],
      ] as const;
      for (const encode of [urlencoded, json, multipart]) {
        expect(await judged(encode(pairs))).toMatchObject({
          verdict: 'clean',
          score: 1,
          parts: [{ name: 'fill_time' }],
        });
      }
    }
    const list = { type: 'application/json', body: '{"_token":[{"a":1}],"a":1}' };
    expect(await judged(list)).toMatchObject({ verdict: 'clean', score: 1 });
  });
});

describe('A held submission', () => {
  const VISITOR = named({ _gotcha: 'x', email: 'ann@example.com' });
  beforeEach(async () => {
    inbox = await Inbox.open(service(), {
      notify_submitter: true,
      notify_owner_emails: 'owner@example.com',
      webhook_url: 'https://hook.example.com/',
    });
    await judgeEach();
    await rules({ signals: { honeypot: { points: 6 } } });
  });
  const sent = async (id: string) =>
    (await inbox.owner.deliveriesOf(inbox.form, id)).map(({ kind, next_attempt_at }) => [
      kind,
      next_attempt_at !== null && Date.parse(next_attempt_at) <= Date.now(),
    ]);
  const DUE = [
    ['owner_email', true],
    ['submitter_email', true],
    ['webhook', true],
  ];

  it('is one in which nothing was filled in, of which nobody is told before it is released', async () => {
    const blank = named({ email: '', message: ' \r\n\u00a0' });
    const id = await inbox.accept(blank);
    expect(await verdict(id)).toMatchObject({
      verdict: 'held',
      parts: [{ name: 'blank', reason: 'All of its fields are blank.' }],
    });
    const sentNow = [
      ['owner_email', false],
      ['webhook', false],
    ];
    expect(await sent(id)).toEqual(sentNow);
    await mark(id, false);
    expect(await sent(id)).toEqual(sentNow.map(([kind]) => [kind, true]));
    const nulls = { type: 'application/json', body: '{"a":null,"b":""}' };
    expect(await verdict(await inbox.accept(nulls))).toMatchObject({ verdict: 'held' });
  });

  it('is none with a value in any field, or with a file', async () => {
    for (const filled of [
      named({ email: '', topic: '0' }),
      { type: 'application/json', body: '{"a":null,"b":false}' },
      multipart([['email', '']], [{ field: 'cv', name: 'cv.txt', bytes: 'x' }]),
    ])
      expect(await verdict(await inbox.accept(filled))).toMatchObject({ verdict: 'clean' });
  });

  it('tells its owner with the reasons, and the visitor and the webhook only once it is released', async () => {
    const id = await inbox.accept(VISITOR);
    expect(await sent(id)).toEqual([
      ['owner_email', true],
      ['submitter_email', false],
      ['webhook', false],
    ]);
    const { body } = await inbox.owner.get(`${path()}/submissions?q=is:held`).expect(200);
    expect(body).toMatchObject({ submissions: [{ id, spam: false }], held: [id] });
    expect(await inbox.count()).toBe(1);

    await mark(id, false);
    expect(await sent(id)).toEqual(DUE);
    expect(await verdict(id)).toMatchObject({ verdict: 'clean' });
    const { body: all } = await inbox.owner.get(`${path()}/submissions`).expect(200);
    expect(all).toMatchObject({ submissions: [{ id }], held: [] });
    const { body: after } = await inbox.owner.get(`${path()}/submissions?q=is:held`).expect(200);
    expect(after).toMatchObject({ submissions: [] });
    await mark(id, true);
    await mark(id, false);
    expect(await sent(id)).toEqual(DUE);
  });

  it('goes out by itself when its hold ends, if the form says so', async () => {
    await rules({ hold_hours: 2 });
    const before = Date.now();
    const id = await inbox.accept(VISITOR);
    const [, ...others] = await inbox.owner.deliveriesOf(inbox.form, id);
    for (const { next_attempt_at } of others) {
      const hours = (Date.parse(String(next_attempt_at)) - before) / 3_600_000;
      expect(hours).toBeGreaterThanOrEqual(2);
      expect(hours).toBeLessThan(2.1);
    }
  });

  it('is clean once its hold has ended, and says so; what somebody decided before stays', async () => {
    await rules({ hold_hours: 2 });
    const [id, spam] = [await inbox.accept(VISITOR), await inbox.accept(VISITOR)];
    await rules({ hold_hours: null });
    const kept = await inbox.accept(VISITOR);
    await mark(spam, true);
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const upkeep = service().app.get(TaskRunner);
    await upkeep.runAll(hours(1.9));
    expect((await verdict(id)).verdict).toBe('held');
    await upkeep.runAll(hours(2.1));

    const { verdict: band, score, parts } = await verdict(id);
    expect([band, score]).toEqual(['clean', 0]);
    expect(parts.map(({ name, points }) => [name, points])).toEqual([
      ['honeypot', 6],
      ['hold_ended', -6],
    ]);
    expect((await verdict(spam)).verdict).toBe('spam');
    const held = await inbox.owner.get(`${path()}/submissions?q=is:held`).expect(200);
    expect(held.body).toMatchObject({ submissions: [{ id: kept }] });
    const { body } = await inbox.owner.get(`${path()}/spam/statistics`).expect(200);
    expect(body).toMatchObject({ totals: { held: 3, spam: 0, reversed: 0 } });
  });

  it('that is spam after all causes nothing that has not been sent', async () => {
    const id = await inbox.accept(VISITOR);
    await mark(id, true);
    expect(await sent(id)).toEqual(DUE.map(([kind]) => [kind, false]));
    await service().sendDue();
    const states = (await inbox.owner.deliveriesOf(inbox.form, id)).map(({ state }) => state);
    expect(states).toEqual(['pending', 'pending', 'pending']);
    expect(await inbox.count()).toBe(0);
  });
});

describe('The rules of a form about spam', () => {
  it('change by what is named, and are taken back as they are shown', async () => {
    const before = await rules();
    expect(before).toMatchObject({ held_at: 5, spam_at: 10, hold_hours: null });
    expect(before.signals.honeypot).toEqual({ enabled: true, points: 10 });

    const after = await rules({ signals: { origin: { points: 2.5 } }, hold_hours: 24 });
    expect(after).toEqual({
      ...before,
      hold_hours: 24,
      signals: { ...before.signals, origin: { enabled: true, points: 2.5 } },
    });
    expect(await rules(after)).toEqual(after);
  });

  it('name what is wrong', async () => {
    const put = (spam: unknown) => inbox.owner.put(`${path()}/spam`, { spam });
    await put({ signals: { honeypot: { points: 101 } } }).expect(
      refusal(422, 'invalid_fields', 'spam.signals.honeypot.points'),
    );
    await put({ signals: { nonsense: { points: 1 } } }).expect(refusal(422, 'invalid_fields', 'spam.signals.nonsense'));
    await put({ signals: { honeypot: { enabled: null } } }).expect(
      refusal(422, 'invalid_fields', 'spam.signals.honeypot.enabled'),
    );
    await put({ held_at: 0 }).expect(refusal(422, 'invalid_fields', 'spam.held_at'));
    await put({ hold_hours: 2161 }).expect(refusal(422, 'invalid_fields', 'spam.hold_hours'));
    await put({ spam_at: 4 }).expect(refusal(422, 'spam_bands_crossed'));
    expect(await rules()).toMatchObject({ spam_at: 10 });
  });
});

describe('The pages about spam', () => {
  let jane: Browser;
  beforeEach(async () => {
    jane = await service().makeBrowser(inbox.owner);
  });
  const page = () => `/forms/${inbox.form.identifier}/spam`;
  const TYPED = {
    'spam.held_at': '4,5',
    'spam.spam_at': '10',
    'spam.hold_hours': '24',
    'spam.honeypots': 'fax, website',
    'spam.scripts': 'Cyrillic',
    'spam.signals.links.points': '3',
    'spam.signals.rate.points': '1',
    enabled: 'links',
  };

  it('take what is typed, without script, and leave what they do not show', async () => {
    expect((await jane.get(page())).text).toContain('Many links');
    await jane.post(page(), TYPED);
    expect(await rules()).toMatchObject({
      ...{ held_at: 4.5, hold_hours: 24, honeypots: ['fax', 'website'], scripts: ['Cyrillic'] },
      signals: {
        links: { enabled: true, points: 3 },
        rate: { enabled: false, points: 1 },
        honeypot: { enabled: true, points: 10 },
      },
    });
  });

  it('take a level, which sets both scores and nothing else, and say what each would have done', async () => {
    await inbox.accept(TRAPPED);
    const before = await rules();
    expect(before).toMatchObject({ level: 'normal' });
    await saveSettings(jane, inbox.form, { spam_level: 'strict' });
    expect(await rules()).toEqual({ ...before, level: 'strict', held_at: 3, spam_at: 7 });
    const settings = () => `/forms/${inbox.form.identifier}/settings`;
    const chosen = (text: string) =>
      elementsOf(text).flatMap(({ attributes }) =>
        attributes.name === 'settings.spam_level' && attributes.checked !== undefined ? attributes.value : [],
      );
    const { text } = await jane.get(settings());
    expect(chosen(text)).toEqual(['strict']);
    expect(text.split('would have moved 1 to spam')).toHaveLength(4);

    await rules({ held_at: 4 });
    expect(await rules()).toMatchObject({ level: null, held_at: 4, spam_at: 7 });
    const own = await jane.get(settings());
    expect(chosen(own.text)).toEqual(['custom']);
    expect(own.text).toContain('Held from 4, spam from 7.');
    await saveSettings(jane, inbox.form, { spam_level: 'none' });
    expect(await rules()).toMatchObject({ level: null, held_at: 4, spam_at: 7 });
  });

  it('take a level through the API; scores beside it win, and null leaves them', async () => {
    expect(await rules({ level: 'strict', spam_at: 9 })).toMatchObject({ ...{ level: null, held_at: 3, spam_at: 9 } });
    expect(await rules({ level: null })).toMatchObject({ held_at: 3, spam_at: 9 });
    expect(await rules({ level: 'relaxed' })).toMatchObject({ ...{ level: 'relaxed', held_at: 8, spam_at: 10 } });
    await inbox.owner
      .put(`${path()}/spam`, { spam: { level: 'none' } })
      .expect(refusal(422, 'invalid_fields', 'spam.level'));
  });

  it('take what is blocked and allowed, and keep lines that are wrong', async () => {
    const lists = `${page()}/lists`;
    await jane.post(lists, { 'lists.block': 'Casino\r\nspam.test', 'lists.allow': '' });
    expect((await jane.get(page())).text).toContain('casino\nspam.test</textarea>');
    const wrong = { 'lists.block': 'Casino\r\n(a+)+$', 'lists.allow': 'b.test' };
    const answer = await jane.post(lists, wrong);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('line 2 (“(a+)+$”)');
    expect(answer.text).toContain('b.test</textarea>');
    expect((await jane.get(page())).text).toContain('casino\nspam.test</textarea>');
  });

  it('offer to allow the sender from now on of what was held or spam', async () => {
    await rules({ signals: { bot_headers: { points: 6 } } });
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
    const send = (email: string) => inbox.accept({ ...urlencoded([['email', email]]), headers });
    const id = await send('ann@example.com');
    const address = `/inbox/${inbox.form.identifier}/${id}`;
    await jane.post(`${address}/marks`, { spam: 'false' });
    const { text } = await jane.get(address);
    expect(text).toContain('Always allow ann@example.com');
    expect(text).toContain('Always allow example.com');

    await jane.post(`${page()}/lists/allow`, { entry: 'example.com', submission: id });
    expect((await jane.get(address)).text).not.toContain('Always allow');
    expect(await verdict(await send('bob@example.com'))).toMatchObject({ verdict: 'clean' });
    const other = await send('bob@gmail.com');
    const shown = (await jane.get(`/inbox/${inbox.form.identifier}/${other}`)).text;
    expect(shown).toContain('Always allow bob@gmail.com');
    expect(shown).not.toContain('Always allow gmail.com');
  });

  it('offer to allow the site that it was sent from, where the form allows others', async () => {
    await inbox.owner.patch(path(), { form: { whitelisted_domains: 'a.test' } }).expect(200);
    const from = (origin: string) => inbox.accept({ ...urlencoded([['a', '1']]), headers: { Origin: origin } });
    const id = await from('https://www.shop.test');
    const address = `/inbox/${inbox.form.identifier}/${id}`;
    const shown = async () => (await jane.get(address)).text;
    expect(await shown()).toContain('Always allow the site www.shop.test');
    await mark(id, false);
    expect(await shown()).toContain('Always allow the site www.shop.test');

    const sent = { domain: 'www.shop.test', submission: id };
    const answer = await jane.post(`/forms/${inbox.form.identifier}/spam/origins`, sent);
    expect(answer.headers.location).toBe(address);
    expect(await shown()).not.toContain('Always allow the site');
    expect(await verdict(await from('https://www.shop.test'))).toMatchObject({ parts: [] });
  });

  it('say of a held submission why, and what “Not spam” sends before it does', async () => {
    const webhook_url = 'https://hook.example.com/';
    await inbox.owner.patch(path(), { form: { webhook_url } }).expect(200);
    await rules({ signals: { honeypot: { points: 6 } } });
    const id = await inbox.accept(TRAPPED);
    const address = `/inbox/${inbox.form.identifier}/${id}`;
    const { text } = await jane.get(address);
    expect(text).toContain('Not spam: send 1 call');
    expect(textOf(text, 'p')).toContain('The honeypot field "_gotcha" was filled in. (+6)');

    await jane.post(`${address}/marks`, { spam: 'false' });
    const [call] = await inbox.owner.deliveriesOf(inbox.form, id);
    expect(Date.parse(String(call?.next_attempt_at))).toBeLessThanOrEqual(Date.now());
    expect((await jane.get(address)).text).not.toContain('send what was withheld');
  });
});

describe('What is held in the inbox', () => {
  let jane: Browser;
  let ids: string[];
  beforeEach(async () => {
    inbox = await Inbox.open(service(), { webhook_url: 'https://hook.example.com/' });
    await rules({ signals: { honeypot: { points: 6 } } });
    jane = await service().makeBrowser(inbox.owner);
    ids = [await inbox.accept(TRAPPED), await inbox.accept(TRAPPED)];
  });
  const HELD = '/inbox?q=is%3Aheld';
  const isDue = async (id: string) => {
    const [call] = await inbox.owner.deliveriesOf(inbox.form, id);
    return Boolean(call?.next_attempt_at && Date.parse(call.next_attempt_at) <= Date.now());
  };
  const press = async (spam: boolean) => {
    const shown = ids.join(',');
    const sent = await jane.post('/inbox/bulk', { ...{ q: 'is:held', shown, all: 'true', spam: String(spam) } });
    return (await jane.get(String(sent.headers.location))).text;
  };
  const bandsOf = () => Promise.all(ids.map(async (id) => (await verdict(id)).verdict));

  it('has a folder that says how many they are, and a badge in every list', async () => {
    const clean = await inbox.accept(urlencoded([['a', '1']]));
    const { text } = await jane.get('/inbox');
    const [, held = ''] = text.split(`href="${HELD}"`);
    expect(held.slice(0, held.indexOf('</a>'))).toMatch(/Held<\/span><span class="count">2<\/span>$/);
    const rows = text.split('<tr').filter((row) => row.includes('class="row"'));
    expect(rows.map((row) => row.includes('Held</span>'))).toEqual([false, true, true]);

    const folder = (await jane.get(HELD)).text;
    expect(folder).toMatch(/aria-current="page"><svg[^>]*>.*?<\/svg> <span>Held/s);
    expect(folder).toContain(`id="s-${ids[0]}"`);
    expect(folder).not.toContain(`id="s-${clean}"`);

    await inbox.owner.patch(`${path()}/submissions/${ids[0]}`, { submission: { trash: true } }).expect(200);
    expect((await jane.get('/inbox')).text).toContain('Held</span><span class="count">1</span>');
    await mark(String(ids[1]), false);
    expect((await jane.get('/inbox')).text).toContain('<span>Held</span></a>');
  });

  it('is called no spam several at once: that sends what was withheld, and offers no undo', async () => {
    expect((await jane.get(HELD)).text).toContain('name="spam" value="false"');
    const page = await press(false);

    expect(await Promise.all(ids.map(isDue))).toEqual([true, true]);
    expect(await bandsOf()).toEqual(['clean', 'clean']);
    expect(page).toContain('Nothing on hold');
    expect(page).not.toContain('data-undo');
  });

  it('is called spam without an undo, which would send what was withheld', async () => {
    expect(await press(true)).not.toContain('data-undo');
    expect(await bandsOf()).toEqual(['spam', 'spam']);

    ids = [await inbox.accept(TRAPPED)];
    const fields = { q: 'is:held', spam: 'true' };
    const sent = await jane.post(`/inbox/${inbox.form.identifier}/${ids[0]}/marks`, fields);
    expect((await jane.get(String(sent.headers.location))).text).not.toContain('data-undo');
    expect(await Promise.all(ids.map(isDue))).toEqual([false]);
  });
});

describe('The statistics of spam', () => {
  const LINKS = 'See https://a.example https://b.example https://c.example and write to us soon.';
  const statistics = async (query = '') =>
    (await inbox.owner.read(`${path()}/spam/statistics${query}`)) as {
      signals: { name: string }[];
      totals: object;
      levels: Record<string, object>;
      looked_to: string | null;
    };
  const NOTHING = { found: 0, held: 0, spam: 0, reversed: 0 };
  /** Leaves one each: spam, held, reversed from either, passed with a find, missed. */
  const fill = async () => {
    const spam = [await inbox.accept(TRAPPED), await inbox.accept(TRAPPED)];
    await rules({ signals: { honeypot: { points: 6 } } });
    const held = [await inbox.accept(TRAPPED), await inbox.accept(TRAPPED)];
    const clean = await inbox.accept(urlencoded([['a', '1']]));
    const passed = await inbox.accept(urlencoded([['message', LINKS]]));
    await rules({ signals: { honeypot: { points: 10 } } });
    for (const id of [spam[0], held[0], passed]) await mark(String(id), false);
    await mark(clean, true);
  };

  it('count what each signal caught, what was reversed, and what was missed', async () => {
    await fill();
    const { signals, totals, looked_to } = await statistics();
    const by = Object.fromEntries(signals.map(({ name, ...counts }) => [name, counts]));
    expect(Object.keys(by)).toEqual(Object.keys((await rules()).signals));
    expect(by.honeypot).toEqual({ found: 4, held: 2, spam: 2, reversed: 2 });
    // Who confirms what passed reverses nothing.
    expect(by.links).toEqual({ ...NOTHING, found: 1 });
    expect(by.origin).toEqual(NOTHING);
    expect(totals).toEqual({ held: 2, spam: 2, reversed: 2, missed: 1 });
    expect(looked_to).toBeNull();
  });

  it('tell what each level would have made of the same, whatever people said since', async () => {
    await fill();
    expect((await statistics()).levels).toEqual({
      relaxed: { held_at: 8, spam_at: 10, held: 0, spam: 2 },
      normal: { held_at: 5, spam_at: 10, held: 2, spam: 2 },
      // What passed with a find too.
      strict: { held_at: 3, spam_at: 7, held: 3, spam: 2 },
    });
  });

  it('tell of a level that it holds what is to be held whatever it is worth', async () => {
    const hold = { held_at: 20, spam_at: 30, proof_of_work: { require: true } };
    await rules({ ...hold, signals: { proof_of_work: { enabled: true, points: 1 } } });
    const id = await inbox.accept(urlencoded([['a', '1']]));
    expect(await verdict(id)).toMatchObject({ verdict: 'held', score: 20 });
    for (const level of ['relaxed', 'normal', 'strict']) {
      expect((await statistics()).levels[level]).toMatchObject({ held: 1, spam: 0 });
    }
  });

  it('keep what the form made of it when somebody decided, whatever it says now', async () => {
    const id = await inbox.accept(TRAPPED);
    await mark(id, false);
    await mark(id, true);
    await mark(id, false);
    await rules({ signals: { honeypot: { points: 6 } }, spam_at: 20 });
    expect((await statistics()).totals).toEqual({ held: 0, spam: 1, reversed: 1, missed: 0 });
  });

  it('are of the days that are asked for, and of what is still there', async () => {
    const id = await inbox.accept(TRAPPED);
    const today = new Date().toISOString().slice(0, 10);
    const totals = { held: 0, spam: 0, reversed: 0, missed: 0 };
    expect(await statistics(`?from=2030-01-01&to=2030-01-31`)).toMatchObject({ totals });
    expect(await statistics(`?from=2001-01-01&to=${today}`)).toMatchObject({ totals });
    expect(await statistics(`?from=${today}`)).toMatchObject({ totals: { spam: 1 } });
    await inbox.owner
      .get(`${path()}/spam/statistics?from=2030-01-02&to=2030-01-02`)
      .expect(refusal(422, 'span_empty', 'to'));
    await inbox.owner.delete(`${path()}/submissions/${id}`).expect(200);
    expect(await statistics()).toMatchObject({ totals });
  });

  it('are a table on the page of the form', async () => {
    const jane = await service().makeBrowser(inbox.owner);
    const page = async () => (await jane.get(`/forms/${inbox.form.identifier}/spam`)).text;
    expect(await page()).toContain('No check has found anything yet.');
    await fill();
    const text = await page();
    const [row = ''] = text.split('<tr').filter((each) => each.includes('data-label="Reversed"'));
    expect(textOf(row, 'td')).toEqual(['4', '2', '2', '2']);
    expect(text).toContain('Total: 2 held and 2 spam, of which 2 reversed.');
  });
});
