import { Job } from '../../src/platform/database/jobs.js';
import { SavedView } from '../../src/people/saved-views/saved-view.entity.js';
import { accountOf, Browser } from '../support/people.js';
import { DAY_MS } from '../support/clock.js';
import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { addDays, dayAt } from '../../src/platform/kernel/time.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { SubmissionFinder } from '../../src/search/finder/submission-finder.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody, type Caller, type Standing } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const VIEWS = '/api/v1/views';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
let form: FormBody;
const owner = useOwner(service, 'Studio Nord', 'studio@example.com');
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact' });
});

const save = (caller: Caller, view: object) => caller.create(VIEWS, { view });
type ViewBody = Awaited<ReturnType<typeof save>>;
const namesOf = async (caller: Caller) => (await caller.read(VIEWS)).views.map(({ name }) => name);
const signedIn = async ({ email }: { email: string }): Promise<Browser> => Browser.of(service(), email);

describe('A saved view', () => {
  it('is kept, changed and deleted', async () => {
    const view = await save(owner, { name: ' Urgent ', q: 'tag:urgent', form: form.identifier });
    expect(view).toEqual({ id: view.id, name: 'Urgent', q: `form:${form.identifier} tag:urgent`, team: false });

    const path = `${VIEWS}/${view.id}`;
    const changed = { ...view, name: 'Now', q: 'is:new', team: true };
    await owner.patch(path, { view: { name: 'Now', q: 'is:new', team: true } }).expect(200, changed);
    await owner.get(path).expect(200, changed);
    await owner.delete(path).expect(200);
    await owner.get(path).expect(refusal(404, 'view_not_found'));
  });

  it.each([
    [{ name: 'x', q: 'is:odd' }, 'filter_unclear'],
    [{ name: 'x', q: 'form:other' }, 'filter_unclear'],
    [{ name: '', q: '' }, 'invalid_fields'],
    [{ name: 'x'.repeat(61), q: '' }, 'invalid_fields'],
    [{ name: 'x', q: 'x'.repeat(231) }, 'invalid_fields'],
    [{ name: 'x' }, 'invalid_fields'],
  ])('is refused as %j', async (view, code) => {
    await owner.post(VIEWS, { view }).expect(refusal(422, code));
    expect(await namesOf(owner)).toEqual([]);
  });

  it('is one’s own, unless it is the team’s, which only some may change', async () => {
    const other = service().as((await owner.makeToken()).token);
    const rights = ['submissions:read'];
    const reader = service().as((await owner.makeToken({ rights })).token);
    const own = await save(owner, { name: 'Own', q: '' });
    const shared = await save(owner, { name: 'Shared', q: '', team: true });

    expect(await namesOf(owner)).toEqual(['Own', 'Shared']);
    for (const caller of [other, reader]) {
      expect(await namesOf(caller)).toEqual(['Shared']);
      await caller.get(`${VIEWS}/${own.id}`).expect(refusal(404, 'view_not_found'));
    }
    const path = `${VIEWS}/${shared.id}`;
    await reader.patch(path, { view: { name: 'x' } }).expect(refusal(403, 'missing_right'));
    await reader.delete(path).expect(refusal(403, 'missing_right'));
    await reader.post(VIEWS, { view: { name: 'x', q: '', team: true } }).expect(refusal(403, 'missing_right'));
    const mine = await save(reader, { name: 'Mine', q: '' });
    await reader.patch(`${VIEWS}/${mine.id}`, { view: { team: true } }).expect(refusal(403, 'missing_right'));

    await other.patch(path, { view: { team: false } }).expect(200);
    expect(await namesOf(other)).toEqual(['Shared']);
    expect(await namesOf(owner)).toEqual(['Own']);
  });

  it('is not shared between an account and its clients', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const rival = await owner.makeClient({ form_ids: [form.id] });
    const token = service().as(await owner.makeClientToken(client));
    const rivals = service().as(await owner.makeClientToken(rival));
    await save(owner, { name: 'Of the account', q: '', team: true });
    const view = await save(token, { name: 'Of the client', q: '', team: true });

    expect(await namesOf(token)).toEqual(['Of the client']);
    expect(await namesOf(rivals)).toEqual([]);
    expect(await namesOf(owner)).toEqual(['Of the account']);
    await owner.get(`${VIEWS}/${view.id}`).expect(refusal(404, 'view_not_found'));
  });

  it('is one of 50 at most, of one’s own and of the team', async () => {
    for (const team of [false, true]) {
      for (let n = 0; n < 50; n++) await save(owner, { name: String(n), q: '', team });
      const view = { name: 'One more', q: '', team };
      await owner.post(VIEWS, { view }).expect(refusal(409, 'too_many_views'));
    }
  });
});

describe('On the pages, a view', () => {
  it('is saved in the inbox, leads to its filter, and is renamed and deleted', async () => {
    const browser = await signedIn(await service().makePerson(owner));
    const { headers } = await browser.post('/views', { 'view.name': 'Mine', 'view.q': 'tag:x' });
    expect(headers.location).toBe('/inbox?q=tag%3Ax');
    const { text } = await browser.get('/inbox');
    expect(text).toMatch(/href="\/inbox\?q=tag%3Ax"[^>]*><span>Mine</);

    const [, id = ''] = /action="\/views\/([0-9a-f-]{36})"/.exec((await browser.get('/views')).text) ?? [];
    await browser.post(`/views/${id}`, { 'view.name': 'Renamed', 'view.q': 'tag:y', 'view.team': 'true' });
    expect(await namesOf(owner)).toEqual(['Renamed']);
    await browser.post(`/views/${id}/delete`);
    expect(await namesOf(owner)).toEqual([]);
  });

  it('goes with the membership of whose own it is', async () => {
    const person = await service().makePerson(owner, { clientId: null, role: 'editor' });
    const browser = await signedIn(person);
    await browser.post('/views', { 'view.name': 'Own', 'view.q': '' });
    await browser.post('/views', { 'view.name': 'Shared', 'view.q': '', 'view.team': 'true' });

    await owner.delete(`/api/v1/people/${person.id}`).expect(200);

    const views = service().repository(SavedView);
    const left = await views.findBy({ accountId: await accountOf(owner) });
    expect(left.map(({ name }) => name)).toEqual(['Shared']);
  });
});

/** Makes a person whose address is known to be theirs, and who is signed in. */
async function reachable(standing?: Standing, timeZone = 'UTC') {
  const person = await service().makePerson(owner, standing);
  const people = service().app.get(PeopleRepository);
  const found = Object.assign(await people.get(person.id), { verifiedAt: new Date(), timeZone });
  await service()
    .app.get(UnitOfWork)
    .run((tx) => people.in(tx).save(found));
  return { ...person, browser: await signedIn(person) };
}
/** Beside the mails about a sign-in. */
const digestsTo = (email: string) => server.to(email).filter(({ mail }) => mail.subject?.startsWith('Cakes') === true);
const digestOf = ({ id }: ViewBody) => `/api/v1/me/views/${id}/digest` as const;
/** Sends what is due in so many days. */
const inDays = (days: number) => service().work('view_digest', new Date(Date.now() + days * DAY_MS));

describe('The digest of a view', () => {
  let view: ViewBody;
  beforeEach(async () => {
    view = await save(owner, { name: 'Cakes', q: 'cake', team: true });
  });

  it('tells once what is new in it, and nothing when there is nothing new', async () => {
    await service().submit(form, { name: 'Early', message: 'cake' });
    const { email, browser } = await reachable();
    await browser.call('put', digestOf(view), { every: 'day' });
    expect((await browser.call('get', digestOf(view))).body).toEqual({ every: 'day' });
    await inDays(2);
    expect(digestsTo(email)).toHaveLength(0);

    const other = await reachable();
    await other.browser.call('put', digestOf(view), { every: 'week' });
    await service().submit(form, { name: 'Jane', message: 'a cake' });
    await service().submit(form, { name: 'Ben', message: 'bread' });
    await service().submit(form, { name: 'Kim', message: 'two cakes', size: 'L' });
    await Promise.all([inDays(9), inDays(9), inDays(9)]);
    await inDays(20);

    const [mail, ...more] = digestsTo(other.email);
    expect(more.map((each) => each.mail.text)).toEqual([]);
    expect(mail?.mail.subject).toBe('Cakes: 2 new submissions');
    expect(mail?.mail.text).toMatch(/Kim · two cakes · L[^]*Jane · a cake/);
    for (const text of ['Early', 'Ben']) expect(mail?.mail.text).not.toContain(text);
    expect(mail?.mail.text).toContain('/inbox?q=cake');
  });

  it('means the days of whoever it is for, as the inbox does', async () => {
    // Whatever the time is, the first or the last of these days is another in UTC.
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12'] as const;
    const first = dayAt(new Date(), east);
    const views = await Promise.all(
      [east, west].map(async (timeZone) => {
        const person = await reachable(undefined, timeZone);
        const team = await save(owner, { name: `Cakes, ${timeZone}`, q: '', team: true });
        await person.browser.call('put', digestOf(team), { every: 'day' });
        return { ...person, path: `${VIEWS}/${team.id}` };
      }),
    );
    const id = await service().submit(form, { message: 'cake' });
    const lines = [`from:${first}`, `to:${addDays(dayAt(new Date(), west), 1)}`];
    for (const [index, { browser, path }] of views.entries()) {
      const q = lines[index] ?? '';
      await owner.patch(path, { view: { q } }).expect(200);
      const address = `/inbox?${new URLSearchParams({ q }).toString()}`;
      expect((await browser.get(address)).text).toContain(id);
    }
    await inDays(2);
    expect(views.map(({ email }) => digestsTo(email).length)).toEqual([1, 1]);
  });

  it('is ended by one click in the mail program, and not by a program that opens links', async () => {
    const { email, browser } = await reachable();
    await browser.call('put', digestOf(view), { every: 'day' });
    await service().submit(form, { message: 'cake' });
    await inDays(2);
    const raw = digestsTo(email)[0]?.raw.replace(/\r\n[ \t]+/g, ' ') ?? '';
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const [, path = ''] = /^List-Unsubscribe: ?<[^>]+?(\/recipients\/[^>]+)>/m.exec(raw) ?? [];
    const address = service().url + path;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const every = async () => (await browser.call('get', digestOf(view))).body;

    expect(await (await fetch(address)).text()).toContain('Stop these emails?');
    expect((await fetch(address.replace(/.{4}$/, 'AAAA'), { method: 'POST' })).status).toBe(404);
    expect(await every()).toEqual({ every: 'day' });
    const body = 'List-Unsubscribe=One-Click';
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
    expect(await every()).toEqual({ every: null });
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
  });

  it.each(['removed', 'disabled', 'without the form', 'without the view'])(
    'is not sent to somebody who is %s by then',
    async (what) => {
      const client = await owner.makeClient({ form_ids: [form.id] });
      const { id, email, browser } = await reachable({ clientId: client, actions: ['see'] });
      await browser.post('/views', { 'view.name': 'Cakes', 'view.q': 'cake' });
      const found = /action="\/views\/([0-9a-f-]{36})"/.exec((await browser.get('/views')).text);
      const own = { ...view, id: found?.[1] ?? '' };
      expect((await browser.call('put', digestOf(own), { every: 'day' })).status).toBe(200);
      await service().submit(form, { message: 'cake' });

      const path = `/api/v1/clients/${client}` as const;
      if (what === 'removed') await owner.delete(`${path}/people/${id}`).expect(200);
      if (what === 'disabled') await owner.patch(`${path}/people/${id}`, { person: { disabled: true } }).expect(200);
      if (what === 'without the form') await owner.patch(path, { client: { form_ids: [] } }).expect(200);
      if (what === 'without the view') await browser.post(`/views/${own.id}/delete`);
      await inDays(2);

      expect(digestsTo(email)).toEqual([]);
      const jobs = service().repository(Job);
      expect(await jobs.countBy({ recipient: String(id) })).toBe(what === 'without the form' ? 1 : 0);
    },
  );

  it('tells later what a search has not come to in its time', async () => {
    const { email, browser } = await reachable();
    await browser.call('put', digestOf(view), { every: 'day' });
    const searchedTo = makeUuid();
    await service().submit(form, { message: 'cake' });
    jest
      .spyOn(service().app.get(SubmissionFinder), 'find')
      .mockResolvedValueOnce({
        ...{ ids: [], hasMore: false, count: 0, isComplete: false },
        ...{ searchedTo, next: searchedTo },
      });

    await inDays(2);
    expect(digestsTo(email)).toHaveLength(0);

    await inDays(4);
    expect(digestsTo(email)).toHaveLength(1);
  });

  it('is tried again when the mail server refuses it', async () => {
    const { id, email, browser } = await reachable();
    await browser.call('put', digestOf(view), { every: 'day' });
    await service().submit(form, { message: 'cake' });
    server.answer = (to) => (to === email ? { at: 'data', code: 451, text: 'Later' } : 'accept');
    await inDays(2);
    server.answer = () => 'accept';
    await inDays(2);
    expect(digestsTo(email)).toEqual([]);

    // Ten minutes pass by the clock of the database.
    await service()
      .repository(Job)
      .update({ recipient: String(id) }, { leaseUntil: new Date(0) });
    await inDays(2);
    expect(digestsTo(email)).toHaveLength(1);
  });

  it('goes to nobody whose address may be another’s, and is opened by no token', async () => {
    const unproven = await service().makePerson(owner);
    await service().unprove(unproven);
    const browser = await signedIn(unproven);
    const refused = await browser.call('put', digestOf(view), { every: 'day' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('address_not_verified');
    await owner.put(digestOf(view), { every: 'day' }).expect(403);
    const stranger = await service().openAccount();
    const person = await service().makePerson(stranger);
    expect((await (await signedIn(person)).call('get', digestOf(view))).status).toBe(404);
  });
});
