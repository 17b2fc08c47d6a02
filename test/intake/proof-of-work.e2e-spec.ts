import { TaskRunner } from '../../src/platform/background/tasks.js';
import { SpentSolution } from '../../src/spam/proof-of-work/spent-solution.entity.js';
import { SpentSolutionsRepository } from '../../src/spam/proof-of-work/spent-solutions.repository.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { challengeOf, solutionText, solve, solvedOf } from '../support/proof-of-work.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, send, urlencoded, type Sent } from '../support/submit.js';

const service = useService({ WORKERS: 'off', RATE_LIMIT_ADDRESS: '2000' });
const clock = useClock();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  await rules({ signals: { proof_of_work: { enabled: true }, rate: { enabled: false } } });
});

const path = (of = inbox) => `/api/v1/forms/${of.form.identifier}` as const;
const rules = (spam: object, of = inbox) => of.owner.put(`${path(of)}/spam`, { spam }).expect(200);
const ask = (origin?: string, of = inbox) =>
  send(`${of.url}/challenge`, { method: 'GET', headers: origin ? { Origin: origin } : {} });

const solved = (of = inbox) => solvedOf(of);

const pairs = (altcha: string) =>
  [
    ['altcha', altcha],
    ['a', '1'],
  ] as const;
const proven = (altcha: string) => urlencoded(pairs(altcha));
const WITHOUT = urlencoded([['a', '1']]);

const verdict = async (id: string): Promise<unknown> =>
  (await inbox.owner.get(`${path()}/submissions/${id}/verdict`).expect(200)).body;
const judged = async (sent: Sent) => verdict(await inbox.accept(sent));
const CLEAN = { verdict: 'clean', score: 0, parts: [] };
const counted = (reason: string, band = 'clean', points = 3) => ({
  verdict: band,
  score: points,
  parts: [{ name: 'proof_of_work', points, reason }],
});
const MISSING = 'The proof of work is missing.';
const UNCLEAR = 'The proof of work is not valid for this form.';
const USED = 'The proof of work was used before.';
const EXPIRED = 'The proof of work has expired.';

describe('A form that asks for a proof of work', () => {
  it('takes one without a word, and never stores it as a value', async () => {
    const id = await inbox.accept(proven(await solved()));
    expect(await verdict(id)).toEqual(CLEAN);
    expect((await inbox.read(id)).submission.values).toEqual({ a: '1' });
  });

  it('takes what comes without one for a little suspicious, and keeps it', async () => {
    expect(await judged(WITHOUT)).toEqual(counted(MISSING));
    expect(await judged(proven(''))).toEqual(counted(MISSING));
  });

  it('holds what comes without one when it requires one, whatever that is worth', async () => {
    await rules({ proof_of_work: { require: true } });
    expect(await judged(WITHOUT)).toEqual(counted(MISSING, 'held', 5));
    expect(await judged(proven(await solved()))).toEqual(CLEAN);
    await rules({ held_at: 2.5 });
    expect(await judged(WITHOUT)).toEqual(counted(MISSING, 'held', 3));
    await rules({ held_at: 5, signals: { proof_of_work: { points: 0 } } });
    expect(await judged(WITHOUT)).toEqual(counted(MISSING, 'held', 5));
    await inbox.owner.put(`${path()}/spam/lists`, { lists: { allow: 'ann@a.test' } }).expect(200);
    expect(await judged(urlencoded([['email', 'ann@a.test']]))).toMatchObject({ verdict: 'clean' });
  });

  it('asks for none from pages on plain http that the form names, where browsers cannot do it', async () => {
    await rules({ proof_of_work: { require: true } });
    const from = (origin: string, sent = WITHOUT) => ({ ...sent, headers: { Origin: origin } });
    const referred = { ...WITHOUT, headers: { Referer: 'http://shop.test/' } };
    for (const each of [from('http://shop.test'), referred])
      expect(await judged(each)).toMatchObject({ verdict: 'held' });
    const domains = ['http://shop.test', 'http://shop.test:8080', 'http://127.0.0.1', 'localhost'];
    await inbox.owner
      .patch(path().replace(/\/spam$/, ''), {
        form: { whitelisted_domains: [...domains, 'https://shop.test'].join(',') },
      })
      .expect(200);
    expect(await judged(from('http://shop.test'))).toEqual(CLEAN);
    expect(await judged(from('http://shop.test:8080'))).toEqual(CLEAN);
    for (const able of ['https://shop.test', 'http://localhost:4000', 'http://127.0.0.1']) {
      expect(await judged(from(able))).toMatchObject({ verdict: 'held' });
    }
    expect(await judged(from('http://shop.test', proven('x')))).toMatchObject({ verdict: 'held' });
  });

  it('says nothing of it in what is refused, so that the solution is still good', async () => {
    const altcha = await solved();
    const many = Array.from({ length: 2_000 }, (_, n) => [`f${n}`, ''] as const);
    expect((await inbox.submit(urlencoded([...pairs(altcha), ...many]))).status).toBe(422);
    expect(await judged(proven(altcha))).toEqual(CLEAN);
  });
});

describe('A solution', () => {
  it('counts once: used again it is worth as much as none', async () => {
    const altcha = await solved();
    expect(await judged(proven(altcha))).toEqual(CLEAN);
    expect(await judged(json(pairs(altcha)))).toEqual(counted(USED));
  });

  it('counts for one of many that come at once', async () => {
    await rules({ signals: { repetition: { enabled: false } } });
    const altcha = await solved();
    const ids = await Promise.all(Array.from({ length: 10 }, () => inbox.accept(proven(altcha))));
    const all = await Promise.all(ids.map(verdict));
    expect(all.filter((each) => (each as typeof CLEAN).score === 0)).toHaveLength(1);
    expect(all).toContainEqual(counted(USED));
  });

  it('that another instance spends at the same moment lets all others be stored', async () => {
    const altcha = await solved();
    await inbox.accept(proven(altcha));
    // What this instance reads is as old as if the other had committed just now.
    const isSpent = jest.spyOn(SpentSolutionsRepository.prototype, 'isSpent');
    isSpent.mockResolvedValue(false);
    const others = await Promise.all([solved(), solved(), solved()]);
    const sent = [altcha, ...others].map((each, n) => urlencoded([...pairs(each), ['n', `${n}`]]));
    const ids = await Promise.all(sent.map((each) => inbox.accept(each)));

    const all = (await Promise.all(ids.map(verdict))) as { parts: { reason: string }[] }[];
    const reasons = all.map(({ parts }) => parts.map(({ reason }) => reason).includes(USED));
    expect(reasons).toEqual([true, false, false, false]);
    expect(await inbox.count()).toBe(5);
  });

  it('is not asked for again by a request that is repeated under its key', async () => {
    const altcha = await solved();
    const headers = { 'Idempotency-Key': 'once' };
    const first = await inbox.accept({ ...proven(altcha), headers });
    expect(await inbox.accept({ ...proven(altcha), headers })).toBe(first);
    expect(await inbox.accept({ ...WITHOUT, headers })).toBe(first);
    expect(await verdict(first)).toEqual(CLEAN);
  });

  it('ends with its challenge after 20 minutes, and is forgotten then', async () => {
    const rows = service().repository(SpentSolution);
    const before = await rows.count();
    await inbox.accept(proven(await solved()));
    const late = await solved();
    expect(await rows.count()).toBe(before + 1);
    const upkeep = service().app.get(TaskRunner);
    await upkeep.runAll(new Date(Date.now() + 19 * MINUTE_MS));
    expect(await rows.count()).toBe(before + 1);
    await upkeep.runAll(new Date(Date.now() + 21 * MINUTE_MS));
    expect(await rows.count()).toBe(0);

    clock.forward(21 * MINUTE_MS);
    expect(await judged(proven(late))).toEqual(counted(EXPIRED));
  });

  it('that is garbled, altered, of another form, signed by nobody or 1 MB long is none, in every encoding', async () => {
    const challenge = await challengeOf(inbox);
    const solution = await solve(challenge);
    const { parameters, signature } = challenge;
    const other = await Inbox.open(service());
    await rules({ signals: { proof_of_work: { enabled: true } } }, other);
    const easy = { ...parameters, keyPrefix: '00' };
    const bad = [
      'x',
      '\0\u00ff',
      solutionText(null),
      solutionText({ challenge: null, test: true }),
      solutionText({ challenge: { parameters: 1, signature }, solution }),
      solutionText({ challenge: { parameters, signature }, solution: {} }),
      solutionText({ challenge: { parameters, signature }, solution: { ...solution, derivedKey: 'ab' } }),
      solutionText({ challenge: { parameters: easy, signature }, solution }),
      solutionText({ challenge: { parameters: { ...parameters, data: {} }, signature }, solution }),
      solutionText({ challenge: { parameters, signature: signature?.replace(/./g, '0') }, solution }),
      solutionText({ challenge: { parameters }, solution }),
      solutionText({ verified: true, verificationData: 'score=1', signature }),
      await solved(other),
      'A'.repeat(1e6),
    ];
    await rules({ signals: { repetition: { enabled: false } } });
    for (const each of bad) {
      for (const encode of [urlencoded, json, multipart]) {
        expect(await judged(encode(pairs(each)))).toEqual(counted(UNCLEAR));
      }
    }
    const list = { type: 'application/json', body: '{"altcha":[{"a":1}],"a":1}' };
    expect(await judged(list)).toEqual(counted(UNCLEAR));
    expect(await judged(proven(solutionText({ challenge, solution })))).toEqual(CLEAN);
  });
});

describe('A challenge', () => {
  it('is new each time, for pages of any origin, and counts in the limit of the address', async () => {
    const { status, headers, body } = await ask('https://shop.test');
    expect([status, Object.keys(body).sort()]).toEqual([200, ['parameters', 'signature']]);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(body).not.toEqual((await ask()).body);
    const left = async () => /r=(\d+)/.exec((await ask()).headers.get('RateLimit') ?? '')?.[1];
    expect(Number(await left()) - Number(await left())).toBe(1);
  });

  it('is only readable by pages of the domains that the form names', async () => {
    await inbox.owner.patch(path(), { form: { whitelisted_domains: '*.shop.test' } }).expect(200);
    const reader = async (origin?: string) => (await ask(origin)).headers.get('Access-Control-Allow-Origin');
    expect(await reader('https://www.shop.test')).toBe('https://www.shop.test');
    expect(await reader('https://other.test')).toBeNull();
    expect(await reader()).toBeNull();
    expect((await ask()).headers.get('Vary')).toContain('Origin');
  });

  it('is harder the more an address asks for, and a little work at first', async () => {
    const first = await solve(await challengeOf(inbox));
    expect(first.counter).toBeGreaterThanOrEqual(50);
    expect(first.counter).toBeLessThan(150);
    for (let n = 0; n < 70; n++) await ask();
    const last = await solve(await challengeOf(inbox));
    expect(last.counter).toBeGreaterThanOrEqual(400);
    expect(last.counter).toBeLessThan(1_200);
  });

  it('is not given by forms that ask for none, whose visitors may have a field of that name', async () => {
    const other = await Inbox.open(service());
    expect(await ask(undefined, other)).toMatchObject({
      status: 404,
      body: { type: 'urn:form-collection-service:problem:no_proof_of_work' },
    });
    expect(await other.values(proven('x'))).toEqual({ altcha: 'x', a: '1' });
    expect((await send(`${inbox.url.slice(0, -1)}x/challenge`, { method: 'GET' })).status).toBe(404);
  });
});

it('The rule about proofs of work is shown and changed with the others', async () => {
  expect((await rules({})).body).toMatchObject({
    spam: { signals: { proof_of_work: { enabled: true, points: 3 } }, proof_of_work: { require: false } },
  });
  const { body } = await rules({ proof_of_work: { require: true } });
  expect(body).toMatchObject({ spam: { proof_of_work: { require: true } } });
  expect((await rules({ proof_of_work: {} })).body).toEqual(body);
  const put = (rule: unknown) => inbox.owner.put(`${path()}/spam`, { spam: { proof_of_work: rule } });
  await put({ require: 'yes' }).expect(refusal(422, 'invalid_fields', 'spam.proof_of_work.require'));
  await put(true).expect(refusal(422, 'invalid_fields', 'spam.proof_of_work'));
});
