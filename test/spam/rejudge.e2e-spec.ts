import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { Principals } from '../../src/people/auth/principals.js';
import { Rejudging } from '../../src/jobs/changes/rejudging.service.js';
import { useClock } from '../support/clock.js';
import { textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { Inbox, urlencoded } from '../support/submit.js';

const mails = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: mails.url }));
const clock = useClock();
let inbox: Inbox;
let visitors = 0;
beforeEach(async () => {
  inbox = await Inbox.open(service(), { notify_owner_emails: 'owner@example.com', notify_submitter: true });
  await rules({ repetition: { enabled: false } });
});

const path = () => `/api/v1/forms/${inbox.form.identifier}` as const;
const put = (spam: object) => inbox.owner.put(`${path()}/spam`, { spam }).expect(200);
const rules = (signals: object) => put({ signals });
const block = (text: string) => inbox.owner.put(`${path()}/spam/lists`, { lists: { block: text } }).expect(200);
const ask = (body: object, caller = inbox.owner) => caller.post(`${path()}/submissions/rejudge`, body);
const mark = (id: string, marks: object) =>
  inbox.owner.patch(`${path()}/submissions/${id}`, { submission: marks }).expect(200);

/** Sends a message of a visitor that nobody wrote to before. */
const write = (message: string, more: [string, string][] = []) =>
  inbox.accept(urlencoded([['email', `ann${++visitors}@example.com`], ['message', message], ...more]));

const preview = async (q = '') => (await ask({ q, dry_run: true }).expect(200)).body.preview;

/** Judges again by a job, and returns it when it is over. */
async function rejudge(q = '') {
  const { body } = await ask({ q }).expect(202);
  await service().upkeep(clock.now());
  return (await inbox.owner.get(`/api/v1/jobs/${body.id}`).expect(200)).body;
}

async function verdict(id: string) {
  const {
    verdict: band,
    score,
    parts,
  } = (await inbox.owner.read(`${path()}/submissions/${id}/verdict`)) as {
    verdict: string;
    score: number;
    parts: { name: string; points: number }[];
  };
  return { band, score, parts: parts.map(({ name, points }) => [name, points]) };
}
const bandsOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await verdict(id)).band));

/** Sends what is due, and returns how many mails the last visitor got in all. */
async function sent(): Promise<number> {
  await service().sendDue();
  return mails.to(`ann${visitors}@example.com`).length;
}

const CASINO = 'Visit our casino';
const CAKE = 'Could you bake a cake for sixty people?';

describe('A dry run of judging again', () => {
  it('says how many would move from where to where, and changes nothing', async () => {
    const ids = [await write(CASINO), await write(CASINO), await write(CAKE)];
    const moves = [{ from: 'clean', to: 'spam', count: 2 }];
    expect(await preview()).toEqual({ looked: 3, looked_to: null, kept: 0, moves: [] });
    await block('casino');
    expect(await preview()).toEqual({ looked: 3, looked_to: null, kept: 0, moves });
    expect(await preview('casino')).toMatchObject({ looked: 2, moves });
    expect(await bandsOf(ids)).toEqual(['clean', 'clean', 'clean']);
    expect(await inbox.count()).toBe(3);
  });

  it('is of one form, by a filter that can be understood, for who may sort its submissions', async () => {
    const other = await Inbox.open(service());
    await ask({ q: `form:${other.form.identifier}`, dry_run: true }).expect(422);
    await ask({ q: 'form:nonesuch', dry_run: true }).expect(refusal(422, 'filter_unclear'));
    await ask({ q: 'a', dry_run: 'yes' }).expect(refusal(422, 'invalid_fields', 'dry_run'));
    await ask({ dry_run: true }, other.owner).expect(404);
    await ask({}, other.owner).expect(404);
    const client = await inbox.owner.makeClient({ form_ids: [inbox.form.id] });
    const terms = { rights: ['submissions:read'] };
    const reader = service().as(await inbox.owner.makeClientToken(client, terms));
    await ask({ dry_run: true }, reader).expect(403);
    await ask({}, reader).expect(403);
  });
});

describe('Judging again', () => {
  it('moves what is spam by the rules of now, counts it so, and stops what has not been sent', async () => {
    const [id, cake] = [await write(CASINO), await write(CAKE)];
    await block('casino');
    expect(await rejudge()).toMatchObject({ state: 'finished', total: 2, done: 2, changed: 1 });

    expect(await bandsOf([id, cake])).toEqual(['spam', 'clean']);
    const { submission } = await inbox.read(id);
    const spam_reason = 'This form blocks the word "casino".';
    expect(submission).toMatchObject({ spam: true, spam_reason });
    expect(await inbox.count()).toBe(1);
    await service().sendDue();
    const states = (of: string) => inbox.owner.deliveriesOf(inbox.form, of);
    expect((await states(id)).map(({ state }) => state)).toEqual(['pending', 'pending']);
    expect((await states(cake)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(await rejudge()).toMatchObject({ total: 2, done: 2, changed: 0 });
  });

  it('sends what was spam from the start once, however often it is judged again', async () => {
    await block('casino');
    const id = await write(CASINO);
    expect(await sent()).toBe(0);
    await block('');
    expect(await preview()).toMatchObject({ moves: [{ from: 'spam', to: 'clean', count: 1 }] });
    await rejudge();
    expect(await verdict(id)).toEqual({ band: 'clean', score: 0, parts: [] });
    expect(await inbox.count()).toBe(1);
    expect(await sent()).toBe(1);

    for (const list of ['casino', '', 'casino']) {
      await block(list);
      await rejudge();
      expect(await sent()).toBe(1);
    }
    await mark(id, { spam: false });
    expect(await sent()).toBe(1);
    expect(await inbox.owner.deliveriesOf(inbox.form, id)).toHaveLength(2);
  });

  it('does not send again what went out before it was spam', async () => {
    const id = await write(CASINO);
    expect(await sent()).toBe(1);
    await block('casino');
    await rejudge();
    await block('');
    await rejudge('is:spam');
    expect(await bandsOf([id])).toEqual(['clean']);
    expect(await sent()).toBe(1);
  });

  it('lets go what was stopped, once', async () => {
    const id = await write(CASINO);
    await block('casino');
    await rejudge();
    expect(await sent()).toBe(0);
    await block('');
    await rejudge();
    expect(await sent()).toBe(1);
    expect(await inbox.owner.deliveriesOf(inbox.form, id)).toHaveLength(2);
  });

  it('holds what may be spam: its owner is told, the visitor waits for a person or the end of the hold', async () => {
    await block('casino');
    const was = await write(CASINO);
    await put({ signals: { lists: { points: 6 } }, hold_hours: 2 });
    expect(await rejudge()).toMatchObject({ changed: 1 });
    expect(await bandsOf([was])).toEqual(['held']);
    expect(await sent()).toBe(0);
    const of = await inbox.owner.deliveriesOf(inbox.form, was);
    expect(of.map(({ kind, state }) => [kind, state])).toEqual([
      ['owner_email', 'delivered'],
      ['submitter_email', 'pending'],
    ]);
    clock.forward(2.1 * 3_600_000);
    expect(await sent()).toBe(1);
    await service().upkeep(clock.now());
    expect(await bandsOf([was])).toEqual(['clean']);
    // It went out, so it cannot be held any more; spam it can be.
    expect(await rejudge()).toMatchObject({ changed: 0 });
    await rules({ lists: { points: 10 } });
    expect(await rejudge()).toMatchObject({ changed: 1 });
    expect(await bandsOf([was])).toEqual(['spam']);
  });

  it('holds what was clean and lets it go, and nobody gets it twice', async () => {
    const id = await write(CASINO);
    await block('casino');
    await rules({ lists: { points: 6 } });
    await rejudge();
    expect(await bandsOf([id])).toEqual(['held']);
    expect(await sent()).toBe(0);
    await block('');
    await rejudge();
    expect(await bandsOf([id])).toEqual(['clean']);
    expect(await sent()).toBe(1);
    expect(await sent()).toBe(1);
  });

  it('leaves alone what a person decided, starred, answered, finished or threw away', async () => {
    const ids = [];
    for (let n = 0; n < 6; n++) ids.push(await write(CASINO));
    const [decided = '', starred, answered, done, thrown = '', other = ''] = ids;
    await mark(decided, { spam: true });
    await mark(decided, { spam: false });
    await mark(thrown, { trash: true });
    const change = (id: string | undefined, changes: object) =>
      inbox.owner.post('/api/v1/submissions/bulk', { ids: [id], changes }).expect(200);
    await change(starred, { starred: true });
    await change(answered, { answered: true });
    await change(done, { done: true });
    await block('casino');
    const moves = [{ from: 'clean', to: 'spam', count: 1 }];
    expect(await preview()).toEqual({ looked: 5, looked_to: null, kept: 4, moves });
    await rejudge();
    await rejudge('is:trash');
    expect(await bandsOf(ids)).toEqual([...Array<string>(5).fill('clean'), 'spam']);

    await mark(other, { spam: true });
    await block('');
    await rejudge();
    expect(await bandsOf([other])).toEqual(['spam']);
  });

  it('leaves alone what a person decided or starred while it was judged', async () => {
    const ids = [await write(CASINO), await write(CASINO), await write(CASINO)];
    await block('casino');
    const rejudging = service().app.get(Rejudging);
    const found = ids.map((each) => parseUuid(each) ?? Buffer.alloc(0));
    const plan = await rejudging.plan(inbox.form.id, found);
    expect(plan.moves).toHaveLength(3);
    const [decided = '', starred] = ids;
    await mark(decided, { spam: true });
    await mark(decided, { spam: false });
    const changes = { starred: true };
    await inbox.owner.post('/api/v1/submissions/bulk', { ids: [starred], changes }).expect(200);
    await service()
      .app.get(UnitOfWork)
      .run((tx) => rejudging.apply(tx, plan));
    expect(await bandsOf(ids)).toEqual(['clean', 'clean', 'spam']);
    expect(await inbox.count()).toBe(2);
  });

  it('keeps what was found in what is not stored, by its weight of now, while the form goes by it', async () => {
    const trapped = await write(CAKE, [['_gotcha', 'x']]);
    await rejudge();
    expect(await verdict(trapped)).toMatchObject({ band: 'spam', parts: [['honeypot', 10]] });
    await block('cake');
    await rules({ honeypot: { points: 3 }, lists: { points: 4 } });
    await rejudge();
    expect(await verdict(trapped)).toEqual({
      band: 'held',
      score: 7,
      parts: [
        ['honeypot', 3],
        ['lists', 4],
      ],
    });
    await rules({ honeypot: { enabled: false } });
    await rejudge();
    expect(await verdict(trapped)).toMatchObject({ band: 'clean', parts: [['lists', 4]] });
  });

  it('holds on for want of a proof of work as long as the form requires one', async () => {
    await put({ signals: { proof_of_work: { enabled: true } }, proof_of_work: { require: true } });
    const id = await write(CAKE);
    expect(await rejudge()).toMatchObject({ changed: 0 });
    expect(await verdict(id)).toMatchObject({ band: 'held', score: 5 });
    await put({ proof_of_work: { require: false } });
    expect(await rejudge()).toMatchObject({ changed: 1 });
    expect(await verdict(id)).toMatchObject({ band: 'clean', parts: [['proof_of_work', 3]] });
  });

  it('keeps what networks were blocked for, since not every address is stored', async () => {
    await block('127.0.0.0/8\n::1');
    const id = await write(CAKE);
    await block('127.0.0.0/8\n::1\ncasino');
    expect(await rejudge()).toMatchObject({ changed: 0 });
    expect(await bandsOf([id])).toEqual(['spam']);
    await block('casino');
    await rejudge();
    expect(await bandsOf([id])).toEqual(['clean']);
  });

  it('looks at the page that it was sent from again', async () => {
    await inbox.owner.patch(path(), { form: { whitelisted_domains: 'shop.test' } }).expect(200);
    const id = await write(CAKE);
    expect(await bandsOf([id])).toEqual(['spam']);
    await inbox.owner.patch(path(), { form: { whitelisted_domains: null } }).expect(200);
    await rejudge();
    expect(await bandsOf([id])).toEqual(['clean']);
    expect(await sent()).toBe(1);
  });

  it('goes on where it was stopped or the process ended, and does nothing twice', async () => {
    for (let n = 0; n < 120; n++) await write(n % 2 === 0 ? CASINO : CAKE);
    await block('casino');
    await ask({}).expect(202);
    const principals = service().app.get(Principals);
    const stop = new AbortController();
    // It ends after its first portion, of 25, of which 13 move.
    const now = principals.now.bind(principals);
    const asked = jest.spyOn(principals, 'now').mockImplementation((maker) => {
      stop.abort();
      return now(maker);
    });
    await service().work('change', new Date(), stop.signal);
    asked.mockRestore();
    expect((await preview()).moves).toEqual([{ from: 'clean', to: 'spam', count: 47 }]);
    await service().upkeep(clock.now());
    expect((await preview()).moves).toEqual([]);
    expect(await inbox.count()).toBe(60);
    const { body } = await inbox.owner.get('/api/v1/jobs').expect(200);
    expect(body).toMatchObject({ jobs: [{ state: 'finished', total: 120, done: 120, changed: 60 }] });
    const [job] = body.jobs;
    expect(job?.changes).toEqual({ rejudge: true });
  });
});

describe('The page about spam', () => {
  let jane: Browser;
  const page = () => `/forms/${inbox.form.identifier}/spam`;
  beforeEach(async () => {
    jane = await service().makeBrowser(inbox.owner);
  });

  it('shows what would move before it judges again', async () => {
    const ids = [await write(CASINO), await write(CAKE)];
    expect((await jane.get(page())).text).toContain('Preview changes');
    expect((await jane.post(`${page()}/rejudge`, { q: '' })).text).toContain('Nothing would change.');
    await block('casino');
    const { text } = await jane.post(`${page()}/rejudge`, { q: 'from:7d' });
    expect(textOf(text, 'p')).toContain('1 from clean to spam');
    expect(await bandsOf(ids)).toEqual(['clean', 'clean']);

    const sentTo = await jane.post(`${page()}/rejudge`, { q: 'from:7d', go: 'true' });
    await service().upkeep(clock.now());
    expect(await bandsOf(ids)).toEqual(['spam', 'clean']);
    const job = (await jane.get(String(sentTo.headers.location))).text;
    expect(job).toContain('Re-check for spam');
  });
});
