import type { Schemas } from '../../build/api.js';
import { Principals } from '../../src/people/auth/principals.js';
import { KEPT_DAYS } from '../../src/jobs/queue/bulk-job.entity.js';
import { ExpiredRows } from '../../src/platform/background/tasks.js';
import { BulkService } from '../../src/jobs/changes/bulk.service.js';
import { DAY_MS } from '../support/clock.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { unhurried } from '../support/unhurried.js';

const service = useService({ WORKERS: 'off' });
let ids: string[];
const owner = useOwner(service, 'Studio Nord', 'studio@example.com');
const form = useForm(owner);
const orders = useForm(owner);
beforeEach(async () => {
  ids = [];
  for (const target of [form, orders, form]) ids.push(await service().submit(target, { m: 'x' }));
});

/** Does something once it is known what a change is to be made of, and before it is made. */
function beforeMaking(happens: () => Promise<unknown>): void {
  const changing = service().app.get(BulkService);
  const plan = changing.plan.bind(changing);
  jest.spyOn(changing, 'plan').mockImplementation(async (...asked) => {
    const planned = await plan(...asked);
    await happens();
    return planned;
  });
}

const bulk = (changes: object, of: unknown = ids, caller = owner) =>
  caller.post('/api/v1/submissions/bulk', { ids: of, changes });
const idsOf = async (q: string) =>
  (await owner.read(`/api/v1/submissions?q=${encodeURIComponent(q)}`)).submissions.map(({ id }) => id);

describe('Changing several submissions at once', () => {
  it.each([
    ['is:unread', { read: false }, { read: true }],
    ['is:starred', { starred: true }, { starred: false }],
    ['is:answered', { answered: true }, { answered: false }],
    ['is:done', { done: true }, { done: false }],
    ['is:spam', { spam: true }, { spam: false }],
    ['is:trash', { trash: true }, { trash: false }],
    ['tag:urgent', { add_tag: 'Urgent' }, { remove_tag: 'urgent' }],
  ])('%s: is done over all forms, and taken back', async (q, there, back) => {
    const newest = [...ids].reverse();
    await bulk(back).expect(200);

    expect((await bulk(there).expect(200)).body).toEqual({ changed: ids });
    expect(await idsOf(q)).toEqual(newest);
    await bulk(back, ids.slice(0, 1)).expect(200);
    expect(await idsOf(q)).toEqual(newest.slice(0, 2));

    expect((await bulk(there).expect(200)).body).toEqual({ changed: ids.slice(0, 1) });
  });

  it.each([{ read: true }, { starred: true }, { done: true }, { spam: true }, { trash: true }, { add_tag: 'urgent' }])(
    'tells one of two who do the same at once that it was them: %j',
    async (changes) => {
      let planned = 0;
      let release: () => void = () => undefined;
      const bothPlanned = new Promise<void>((resolve) => (release = resolve));
      beforeMaking(() => {
        if (++planned === 2) release();
        return bothPlanned;
      });

      const answers = await Promise.all([bulk(changes), bulk(changes, [...ids].reverse())]);

      const changed = answers.map(({ body }) => body.changed);
      expect(changed.flat().sort()).toEqual(ids);
    },
  );

  it('keeps the counts, and delivers what was spam from the start', async () => {
    const spam = await service().submitSpam(form, { m: 'x' });

    await bulk({ spam: false }, [spam]).expect(200);
    expect(await owner.countOf(form)).toBe(3);
    expect(await owner.deliveriesOf(form, spam)).toHaveLength(1);
    await bulk({ trash: true }).expect(200);
    expect(await owner.countOf(form)).toBe(1);
    expect(await owner.countOf(orders)).toBe(0);
  });

  it('leaves out what is unknown, and what is another account’s', async () => {
    const stranger = await service().openAccount();
    const unknown = '01a1fe6f-1e58-7000-842b-694654d2b033';

    const { body } = await bulk({ trash: true }, [unknown, ...ids], stranger).expect(200);

    expect(body).toEqual({ changed: [] });
    expect((await owner.list(form)).count).toBe(2);
    expect((await bulk({ done: true }, [unknown, ids[0]]).expect(200)).body).toEqual({ changed: ids.slice(0, 1) });
  });

  it('needs the right to write, but for what one has read oneself', async () => {
    const rights = ['submissions:read'];
    const reader = service().as((await owner.makeToken({ rights })).token);

    for (const changes of [{ done: true }, { spam: true }, { add_tag: 'x' }, { read: true, trash: true }]) {
      await bulk(changes, ids, reader).expect(refusal(403, 'missing_right'));
    }
    expect((await bulk({ read: true }, ids, reader).expect(200)).body).toEqual({ changed: ids });
  });

  it('refuses what is no list of ids or no change', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ids[0]?.replace(/.{3}$/, String(100 + n)));
    for (const given of [many, 'x', ['x'], [1], null]) {
      await bulk({ done: true }, given).expect(422);
    }
    for (const changes of [{ done: 'yes' }, { add_tag: '' }, { status: 'x' }]) {
      await bulk(changes).expect(422);
    }
    await owner
      .get(`${pathOf(form)}/${ids[0] ?? ''}/marks`)
      .expect(200, { marks: { read: false, starred: false, answered: false, done: false } });
  });
});

type JobBody = Schemas['BulkJobDto'];

/** The first portion of a job, and more than one. */
const FIRST = 25;
const MANY = 130;

describe('Changing all that match', () => {
  /** Submits many at the same time. */
  const fill = async (count: number, of = form): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => service().submit(of, { m: 'cake' })));
  async function make(q: string, changes: object, caller = owner): Promise<JobBody> {
    const { body, headers } = await unhurried(() =>
      caller.post('/api/v1/submissions/bulk', { q, changes }).expect(202),
    );
    const job = body as JobBody;
    expect((headers as Record<string, string>).location).toBe(`/api/v1/jobs/${job.id}`);
    return job;
  }
  const shown = async ({ id }: JobBody, caller = owner) => (await caller.get(`/api/v1/jobs/${id}`).expect(200)).body;
  const principals = () => service().app.get(Principals);
  type PrincipalNow = Principals['now'];
  const work = async (principalNow?: PrincipalNow) => {
    const spy = principalNow && jest.spyOn(principals(), 'now').mockImplementation(principalNow);
    try {
      await service().work('change');
    } finally {
      spy?.mockRestore();
    }
  };
  /** Does something before the second portion of a job. */
  const between = (happens: () => Promise<unknown>): PrincipalNow => {
    let portions = 0;
    const now = principals().now.bind(principals());
    return async (maker) => {
      if (++portions === 2) await happens();
      return now(maker);
    };
  };
  const countOfAll = async (q: string, caller = owner) => {
    let found = 0;
    let next: string | null = `/api/v1/submissions?q=${encodeURIComponent(q)}` as const;
    while (next !== null) {
      const { body } = await caller.get(next.replace(/^https?:\/\/[^/]+/, '')).expect(200);
      const page = body as { submissions: unknown[]; next_page: string | null };
      found += page.submissions.length;
      next = page.next_page;
    }
    return found;
  };

  it.each([
    ['is:starred', { starred: true }],
    ['is:done', { done: true }],
    ['is:spam', { spam: true }],
    ['is:trash', { trash: true }],
    ['tag:urgent', { add_tag: 'Urgent' }],
  ])('%s: a job changes them over all forms and portions, and says how far it is', async (q, changes) => {
    await fill(MANY);
    await bulk(changes, ids.slice(0, 1)).expect(200);

    const job = await make(q === 'is:spam' || q === 'is:trash' ? '' : 'is:new', changes);
    const total = MANY + (q === 'is:starred' || q === 'tag:urgent' ? 3 : 2);
    expect(job).toMatchObject({ state: 'waiting', total, done: 0, changed: 0, ended_at: null });
    await work();

    expect(await shown(job)).toMatchObject({ state: 'finished', done: total, changed: MANY + 2, error: null });
    expect(await countOfAll(q)).toBe(MANY + 3);
    expect(await owner.countOf(form)).toBe(q === 'is:spam' || q === 'is:trash' ? 0 : MANY + 2);
  });

  it('means what an instance whose clock is ahead has stored, too', async () => {
    const ahead = await service().setAhead(ids[0] ?? '');
    const job = await make('', { starred: true });
    await work();
    // Else "by now" would be ahead for the tests that follow.
    await owner.delete(`${pathOf(form)}/${ahead}`).expect(200);

    expect(await shown(job)).toMatchObject({ state: 'finished', total: 3, changed: 3 });
  });

  it('marks as read for whoever asked, and delivers what is taken back from spam', async () => {
    const spam = await service().submitSpam(form, { m: 'x' });
    await make('', { read: true });
    await make('is:spam', { spam: false });
    await work();

    expect(await idsOf('is:unread')).toEqual([spam]);
    expect(await owner.deliveriesOf(form, spam)).toHaveLength(1);
  });

  it('finds what each has to be looked at for: words, values, marks', async () => {
    await fill(MANY);
    await bulk({ starred: true }).expect(200);
    for (const [q, total] of [
      ['cake', MANY],
      ['m:x', 3],
      ['is:starred', 3],
      [`is:starred form:${orders.identifier}`, 1],
      ['nowhere', 0],
    ] as const) {
      const job = await make(q, { add_tag: 'x' });
      expect(job.total).toBe(total);
      await work();
      expect(await shown(job)).toMatchObject({ state: 'finished', done: total, error: null });
    }
  });

  it('changes one form alone, when it is named', async () => {
    const task = { q: '', form: orders.identifier, changes: { done: true } };
    const { body } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
    await work();

    expect(await shown(body)).toMatchObject({ q: `form:${orders.identifier}`, done: 1, changed: 1 });
    expect(await idsOf('is:done')).toEqual([ids[1]]);
  });

  it('leaves what comes after it was made', async () => {
    const job = await make('', { done: true });
    const [later] = await fill(1);
    await work();

    expect(await shown(job)).toMatchObject({ state: 'finished', done: 3 });
    expect(await idsOf('is:new')).toEqual([later]);
  });

  it('is done exactly once when its worker dies between two portions, and by several workers', async () => {
    await fill(3 * MANY);
    const job = await make('', { done: true });
    const dies = between(() => Promise.reject(new Error('killed')));
    await work(dies);
    expect((await shown(job)).done).toBe(FIRST);
    await service().endLeases();

    await Promise.all([work(), work(), work()]);
    while ((await shown(job)).state === 'running') await work();

    const total = 3 * MANY + 3;
    expect(await shown(job)).toMatchObject({ state: 'finished', total, done: total, changed: total });
    expect(await countOfAll('is:done')).toBe(total);
  });

  it.each([{ done: true }, { trash: true }, { read: true }])(
    'does not count what somebody else changes meanwhile: %j',
    async (changes) => {
      const job = await make('', changes);
      let isFirst = true;
      beforeMaking(async () => {
        if (!isFirst) return;
        isFirst = false;
        await bulk(changes, ids.slice(1)).expect(200, { changed: ids.slice(1) });
      });

      await work();

      expect(await shown(job)).toMatchObject({ state: 'finished', done: 3, changed: 1 });
    },
  );

  it('stops when it is told to, and keeps what it has done', async () => {
    await fill(MANY);
    const job = await make('', { done: true });
    await work(between(() => owner.delete(`/api/v1/jobs/${job.id}`).expect(200)));

    expect(await shown(job)).toMatchObject({ state: 'stopped', done: FIRST, changed: FIRST });
    await work();
    expect(await countOfAll('is:done')).toBe(FIRST);
    const { body } = await owner.delete(`/api/v1/jobs/${job.id}`).expect(200);
    expect(body).toMatchObject({ state: 'stopped', done: FIRST });
  });

  it('ends when a client no longer sees one of its forms', async () => {
    await fill(MANY);
    const client = await owner.makeClient({ form_ids: [form.id, orders.id] });
    const jane = service().as(await owner.makeClientToken(client));
    const job = await make('', { done: true }, jane);
    const taken = { client: { form_ids: [orders.id] } };
    await work(between(() => owner.patch(`/api/v1/clients/${client}`, taken).expect(200)));

    expect(await shown(job)).toMatchObject({ state: 'failed', done: FIRST, error: { code: 'no_longer_allowed' } });
    expect(await countOfAll('is:done')).toBe(FIRST);
  });

  it.each([
    ['its token is revoked', 'revoked'],
    ['its person may only look now', 'viewer'],
    ['its person belongs there no more', 'removed'],
  ])('ends when %s', async (_, what) => {
    await fill(MANY);
    let job: JobBody;
    let happens: () => Promise<unknown>;
    if (what === 'revoked') {
      const { id, token } = await owner.makeToken();
      job = await make('', { done: true }, service().as(token));
      happens = () => owner.delete(`/api/v1/tokens/${id}`).expect(200);
    } else {
      const { id, email } = await service().makePerson(owner, { clientId: null, role: 'editor' });
      const browser = await Browser.of(service(), email);
      const made = await browser.post('/jobs', { q: '', done: 'true' });
      job = { id: String(made.headers.location).replace('/jobs/', '') } as JobBody;
      const person = { role: 'viewer' };
      happens = () =>
        what === 'viewer'
          ? owner.patch(`/api/v1/people/${id}`, { person }).expect(200)
          : owner.delete(`/api/v1/people/${id}`).expect(200);
    }
    await work(between(happens));

    const code = what === 'viewer' ? 'missing_right' : 'no_longer_allowed';
    expect(await shown(job)).toMatchObject({ state: 'failed', done: FIRST, error: { code } });
    expect(await countOfAll('is:done')).toBe(FIRST);
  });

  it('goes on without a form that is deleted, and under another name of it', async () => {
    await fill(MANY);
    const named = await owner.makeForm({ name: 'Bakery' });
    await fill(1, named);
    const job = await make(`form:Bakery form:${form.identifier} form:${orders.identifier}`, { done: true });
    await work(
      between(async () => {
        await owner.delete(`/api/v1/forms/${named.identifier}`).expect(200);
        await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name: 'Other' } }).expect(200);
      }),
    );
    expect(await shown(job)).toMatchObject({ state: 'finished', done: MANY + 3 });
  });

  it('is seen by the account, and by the client that it was made for alone', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const jane = service().as(await owner.makeClientToken(client));
    const reader = service().as(await owner.makeClientToken(client, { rights: ['submissions:read'] }));
    const other = await owner.makeClientCaller();
    const stranger = await service().openAccount();
    const ofAccount = await make('', { done: true });
    const ofJane = await make('', { done: true }, jane);

    expect(ofJane.total).toBe(2);
    const listedFor = async (caller: Caller) => (await caller.read('/api/v1/jobs')).jobs.map(({ id }) => id);
    expect(await listedFor(owner)).toEqual([ofJane.id, ofAccount.id]);
    expect(await listedFor(jane)).toEqual([ofJane.id]);
    expect(await listedFor(other)).toEqual([]);
    for (const [caller, { id }] of [
      [jane, ofAccount],
      [other, ofJane],
      [stranger, ofJane],
    ] as const) {
      await caller.get(`/api/v1/jobs/${id}`).expect(refusal(404, 'job_not_found'));
      await caller.delete(`/api/v1/jobs/${id}`).expect(refusal(404, 'job_not_found'));
    }
    await reader.delete(`/api/v1/jobs/${ofJane.id}`).expect(refusal(403, 'missing_right'));
    await owner.delete(`/api/v1/jobs/${ofJane.id}`).expect(200);
    await work();
    expect((await shown(ofJane)).state).toBe('stopped');
  });

  it('needs the right to write, but for what one has read oneself', async () => {
    const rights = ['submissions:read'];
    const reader = service().as((await owner.makeToken({ rights })).token);
    const asked = (changes: object) => reader.post('/api/v1/submissions/bulk', { q: '', changes });

    await asked({ done: true }).expect(refusal(403, 'missing_right'));
    await asked({ read: true }).expect(202);
  });

  it('refuses what is unclear or changes nothing, and too many at once', async () => {
    const asked = (body: object) => owner.post('/api/v1/submissions/bulk', body);
    const changes = { read: true };
    const stranger = await service().openAccount();
    const foreign = await stranger.makeForm();

    await asked({ q: '', ids, changes }).expect(422);
    await asked({ q: 7, changes }).expect(422);
    await asked({ changes }).expect(422);
    await asked({ q: '', changes: {} }).expect(refusal(422, 'nothing_to_change'));
    await asked({ q: 'is:nothing', changes }).expect(refusal(422, 'filter_unclear'));
    const twice = { q: `form:${orders.identifier}`, form: form.identifier, changes };
    await asked(twice).expect(refusal(422, 'filter_unclear'));
    await asked({ q: '', form: foreign.identifier, changes }).expect(refusal(404, 'form_not_found'));
    for (let n = 0; n < 20; n++) await make('', changes);
    await asked({ q: '', changes }).expect(refusal(409, 'too_many_jobs'));
    await work();
    await make('', changes);
  });

  it('is forgotten some days after its end', async () => {
    const over = await make('', { done: true });
    await work();
    const open = await make('', { done: false });
    const forget = (days: number) =>
      service()
        .app.get(ExpiredRows)
        .remove({ now: new Date(Date.now() + days * DAY_MS) });

    await forget(KEPT_DAYS - 1);
    await owner.get(`/api/v1/jobs/${over.id}`).expect(200);
    await forget(KEPT_DAYS + 1);
    await owner.get(`/api/v1/jobs/${over.id}`).expect(refusal(404, 'job_not_found'));
    await owner.get(`/api/v1/jobs/${open.id}`).expect(200);
    await work();
  });
});
