import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody, type Person } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { unhurried } from '../support/unhurried.js';

const service = useService({ WORKERS: 'off' });
let form: FormBody;
let orders: FormBody;
let ids: string[];
let jane: Person;
let ben: Person;
const owner = useOwner(service, 'Studio Nord', 'studio@example.com');
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact' });
  orders = await owner.makeForm({ name: 'Orders' });
  ids = [];
  for (const target of [form, orders, form]) ids.push(await service().submit(target, { m: 'x' }));
  jane = await service().makePerson(owner, { clientId: null, role: 'editor' });
  ben = await service().makePerson(owner, { clientId: null, role: 'viewer' });
});

const pathOfAssignee = (id = ids[0] ?? '', of = form) => `${pathOf(of)}/${id}/assignee` as const;
const to = ({ id }: { id: number }) => ({ assignee: { person_id: id } });
const assign = (person: { id: number }, id = ids[0], of = form, caller = owner) =>
  caller.put(pathOfAssignee(id, of), to(person));
const shown = async (id = ids[0], of = form, caller = owner) => (await caller.read(pathOfAssignee(id, of))).assignee;
const idsOf = async (q: string, caller = owner) =>
  (await caller.read(`/api/v1/submissions?q=${encodeURIComponent(q)}`)).submissions.map(({ id }) => id);
const bulk = (changes: object, caller = owner) => caller.post('/api/v1/submissions/bulk', { ids, changes });
/** The page that an action leads to. */
async function followed(browser: Browser, path: string, fields: Record<string, string | string[]>) {
  const { headers } = await browser.post(path, fields);
  return (await browser.get(String(headers.location))).text;
}
/** Returns the undo that a page offers, as the fields of its form. */
function undoIn(text: string): { action: string; fields: Record<string, string[]> } {
  const [, action = '', inside = ''] =
    /<form[^>]*action="([^"]*)"[^>]*data-undo[^>]*>(.*?)<\/form>/s.exec(text) ??
    /<form[^>]*data-undo[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(text) ??
    [];
  const fields: Record<string, string[]> = {};
  for (const [, name = '', value = ''] of inside.matchAll(/name="([^"]*)" value="([^"]*)"/g)) {
    fields[name] = [...(fields[name] ?? []), value];
  }
  return { action, fields };
}

describe('An assignee', () => {
  it('is one person at a time, until it is nobody', async () => {
    expect(await shown()).toBeNull();

    await assign(jane).expect(200);
    const { body } = await assign(ben).expect(200);
    expect(body).toEqual({ assignee: { person_id: ben.id, name: ben.name } });
    expect(await idsOf(`assigned:${jane.email}`)).toEqual([]);
    expect(await idsOf(`assigned:${ben.email.toUpperCase()}`)).toEqual([ids[0]]);
    expect(await idsOf('assigned:none')).toEqual([ids[2], ids[1]]);
    expect(await idsOf('assigned:none form:contact')).toEqual([ids[2]]);

    await owner.put(pathOfAssignee(), { assignee: null }).expect(200, { assignee: null });
    await assign(ben).expect(200);
    await owner.delete(pathOfAssignee()).expect(200, { assignee: null });
    expect(await idsOf('assigned:none')).toHaveLength(3);
  });

  it('is somebody who sees the form, and nobody else is told from who does not exist', async () => {
    const stranger = await service().openAccount();
    const other = await service().makePerson(stranger);
    const client = await owner.makeClient({ form_ids: [form.id] });
    const seeing = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    const blind = await service().makePerson(owner, { clientId: client, actions: ['export'] });
    const refused = refusal(422, 'unknown_assignee', 'assignee.person_id');

    for (const id of [other.id, blind.id, 2_000_000_000]) await assign({ id }).expect(refused);
    await assign(seeing).expect(200);
    await assign(seeing, ids[1], orders).expect(refused);
    for (const email of [other.email, 'nobody@example.com']) {
      const path = `/api/v1/submissions?q=assigned:${email}` as const;
      await owner.get(path).expect(refusal(422, 'filter_unclear', 'q'));
    }
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}/assignees`).expect(200);
    const { people } = body as { people: { person_id: number }[] };
    expect(people.map(({ person_id }) => person_id).sort((a, b) => a - b)).toEqual([jane.id, ben.id, seeing.id]);
  });

  it.each([[{ assignee: { person_id: 'x' } }], [{ assignee: {} }], [{}], [{ assignee: [] }]])(
    'refuses %j',
    async (body) => {
      await owner.put(pathOfAssignee(), body).expect(422);
    },
  );

  it('is nobody’s `me` for a token', async () => {
    await owner.get('/api/v1/submissions?q=assigned:me').expect(refusal(422, 'filter_unclear', 'q'));
  });

  it('is no name to another client, which may take it over', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const token = service().as(await owner.makeClientToken(client));
    const own = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    await assign(jane).expect(200);

    expect(await shown(ids[0], form, token)).toEqual({ person_id: null, name: null });
    await token.put(pathOfAssignee(), to(ben)).expect(refusal(422, 'unknown_assignee'));
    await token.get(`/api/v1/submissions?q=assigned:${jane.email}`).expect(refusal(422, 'filter_unclear'));
    const { body } = await token.get(`/api/v1/forms/${form.identifier}/assignees`).expect(200);
    expect(body).toMatchObject({ people: [{ person_id: own.id }] });
    await token.put(pathOfAssignee(), to(own)).expect(200);
    expect(await shown()).toMatchObject({ person_id: own.id });
  });
});

describe('What is assigned to somebody', () => {
  it('is nobody’s once they are removed, and only there', async () => {
    await assign(ben).expect(200);
    await assign(jane, ids[2]).expect(200);

    await owner.delete(`/api/v1/people/${ben.id}`).expect(200);

    expect(await shown()).toBeNull();
    expect(await idsOf('assigned:none')).toEqual([ids[1], ids[0]]);
  });

  it.each([
    ['was removed', 'person'],
    ['lost the form', 'form'],
    ['was deleted', 'client'],
  ])('is nobody’s once a client, or its person, %s', async (_, what) => {
    const client = await owner.makeClient({ form_ids: [form.id, orders.id] });
    const person = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    await bulk(to(person)).expect(200);

    if (what === 'person') {
      await owner.delete(`/api/v1/clients/${client}/people/${person.id}`).expect(200);
    } else if (what === 'form') {
      await owner.patch(`/api/v1/clients/${client}`, { client: { form_ids: [orders.id] } });
    } else await owner.delete(`/api/v1/clients/${client}`).expect(200);

    const left = what === 'form' ? [ids[2], ids[0]] : [ids[2], ids[1], ids[0]];
    expect(await idsOf('assigned:none')).toEqual(left);
  });
});

describe('Assigning many', () => {
  it('leaves out forms that the person does not see, and says which were not so before', async () => {
    const client = await owner.makeClient({ form_ids: [orders.id] });
    const person = await service().makePerson(owner, { clientId: client, actions: ['see'] });

    expect((await bulk(to(person)).expect(200)).body).toEqual({ changed: [ids[1]] });
    expect((await bulk(to(jane)).expect(200)).body).toEqual({ changed: ids });
    expect((await bulk(to(jane)).expect(200)).body).toEqual({ changed: [] });
    expect((await bulk({ assignee: null }).expect(200)).body).toEqual({ changed: ids });
    await bulk(to({ id: 2_000_000_000 })).expect(refusal(422, 'unknown_assignee'));
  });

  it('is done by a job for all that match', async () => {
    const task = { q: 'assigned:none', changes: to(ben) };
    const { body } = await unhurried(() => owner.post('/api/v1/submissions/bulk', task).expect(202));
    expect(body).toMatchObject({ changes: to(ben), total: 3 });

    await service().work('change');

    expect(await idsOf(`assigned:${ben.email}`)).toHaveLength(3);
  });
});

describe('On the pages', () => {
  it('a submission is assigned, says by whom, and is taken back', async () => {
    const browser = await Browser.of(service(), jane.email);
    const here = `/inbox/${form.identifier}/${ids[0] ?? ''}`;

    await followed(browser, `${here}/assignee`, { person: String(ben.id) });
    const text = await followed(browser, `${here}/assignee`, { me: String(jane.id) });
    expect(text).toContain(`assigned%3A${encodeURIComponent(jane.email)}`);
    const { text: mine } = await browser.get('/inbox?q=assigned:me');
    expect(mine).toContain(`s-${ids[0] ?? ''}`);
    expect(mine).not.toContain(`s-${ids[2] ?? ''}`);

    const { action, fields } = undoIn(text);
    await followed(browser, action, fields);
    expect(await shown()).toMatchObject({ person_id: ben.id });
  });

  it('the selected ones are assigned, and get back whom each had before', async () => {
    await assign(ben, ids[2]).expect(200);
    const browser = await Browser.of(service(), jane.email);

    const text = await followed(browser, '/inbox/bulk', { q: '', id: ids, assign: 'me' });
    expect(await idsOf(`assigned:${jane.email}`)).toHaveLength(3);
    const { action, fields } = undoIn(text);
    await followed(browser, action, fields);

    expect(await idsOf(`assigned:${ben.email}`)).toEqual([ids[2]]);
    expect(await idsOf('assigned:none')).toEqual([ids[1], ids[0]]);
  });

  it('nobody of the account is offered or named to a client', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const person = await service().makePerson(owner, { clientId: client, actions: ['see', 'triage'] });
    await assign(jane).expect(200);
    const browser = await Browser.of(service(), person.email);

    for (const path of ['/inbox', `/inbox/${form.identifier}/${ids[0] ?? ''}`]) {
      const { text } = await browser.get(path);
      for (const secret of [jane.email, ben.email, jane.name]) {
        expect(text).not.toContain(secret);
      }
      expect(text).toContain('Somebody else');
    }
  });
});
