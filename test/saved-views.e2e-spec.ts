import { beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SavedView } from '../src/saved-views/saved-view.entity.js';
import { makeClient, makeClientToken, makeForm, makeToken, type FormBody } from './support/make.js';
import { accountOf, Browser, makePerson } from './support/people.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';

const VIEWS = '/api/v1/views';

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  owner = await service().openAccount('Studio Nord', 'studio@example.com');
  form = await makeForm(owner, { name: 'Contact' });
});

interface ViewBody {
  id: string;
  name: string;
  q: string;
  team: boolean;
}
const save = async (caller: Caller, view: object): Promise<ViewBody> =>
  (await caller.post(VIEWS, { view }).expect(201)).body as ViewBody;
const namesOf = async (caller: Caller) => {
  const { body } = await caller.get(VIEWS).expect(200);
  return (body as { views: ViewBody[] }).views.map(({ name }) => name);
};
async function signedIn({ email }: { email: string }): Promise<Browser> {
  const browser = new Browser(service());
  await browser.signIn(email);
  return browser;
}

describe('A saved view', () => {
  it('is kept, changed and deleted', async () => {
    const view = await save(owner, { name: ' Urgent ', q: 'tag:urgent', form: form.identifier });
    expect(view).toEqual({
      id: view.id,
      name: 'Urgent',
      q: `form:${form.identifier} tag:urgent`,
      team: false,
    });

    const path = `${VIEWS}/${view.id}`;
    const changed = { ...view, name: 'Now', q: 'is:new', team: true };
    await owner
      .patch(path, { view: { name: 'Now', q: 'is:new', team: true } })
      .expect(200, changed);
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
    const other = service().as((await makeToken(owner)).token);
    const rights = ['submissions:read'];
    const reader = service().as((await makeToken(owner, { rights })).token);
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
    await reader
      .post(VIEWS, { view: { name: 'x', q: '', team: true } })
      .expect(refusal(403, 'missing_right'));
    const mine = await save(reader, { name: 'Mine', q: '' });
    await reader
      .patch(`${VIEWS}/${mine.id}`, { view: { team: true } })
      .expect(refusal(403, 'missing_right'));

    await other.patch(path, { view: { team: false } }).expect(200);
    expect(await namesOf(other)).toEqual(['Shared']);
    expect(await namesOf(owner)).toEqual(['Own']);
  });

  it('is not shared between an account and its clients', async () => {
    const client = await makeClient(owner, { form_ids: [form.id] });
    const rival = await makeClient(owner, { form_ids: [form.id] });
    const token = service().as(await makeClientToken(owner, client));
    const rivals = service().as(await makeClientToken(owner, rival));
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
    const browser = await signedIn(await makePerson(service(), owner));
    const { headers } = await browser.post('/views', { 'view.name': 'Mine', 'view.q': 'tag:x' });
    expect(headers.location).toBe('/inbox?q=tag%3Ax');
    const { text } = await browser.get('/inbox');
    expect(text).toMatch(/href="\/inbox\?q=tag%3Ax"[^>]*>Mine</);

    const [, id = ''] =
      /action="\/views\/([0-9a-f-]{36})"/.exec((await browser.get('/views')).text) ?? [];
    await browser.post(`/views/${id}`, {
      'view.name': 'Renamed',
      'view.q': 'tag:y',
      'view.team': 'true',
    });
    expect(await namesOf(owner)).toEqual(['Renamed']);
    await browser.post(`/views/${id}/delete`);
    expect(await namesOf(owner)).toEqual([]);
  });

  it('is asked for again when its filter cannot be understood', async () => {
    const browser = await signedIn(await makePerson(service(), owner));
    const sent = await browser.post('/views', { 'view.name': 'Mine', 'view.q': 'is:odd' });
    expect(sent.status).toBe(422);
    expect(sent.text).toContain('value="is:odd"');
  });

  it('goes with the membership of whose own it is', async () => {
    const person = await makePerson(service(), owner, { clientId: null, role: 'editor' });
    const browser = await signedIn(person);
    await browser.post('/views', { 'view.name': 'Own', 'view.q': '' });
    await browser.post('/views', { 'view.name': 'Shared', 'view.q': '', 'view.team': 'true' });

    await owner.delete(`/api/v1/people/${person.id}`).expect(200);

    const views = service().app.get(DataSource).getRepository(SavedView);
    const left = await views.findBy({ accountId: await accountOf(owner) });
    expect(left.map(({ name }) => name)).toEqual(['Shared']);
  });
});
