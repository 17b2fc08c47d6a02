import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { SessionsRepository } from '../../src/people/sessions/sessions.repository.js';
import { contentOf, makeFullAccount, type FullAccount } from '../support/full-account.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { fillTemplate, isForSessions, isPage, templatesOf } from '../support/routes.js';
import { useService, type Method, type Person } from '../support/service.js';

const VIEW = '/api/v1/me/view';
/** All that goes on while somebody looks: to stop it, and to sign out. */
const ENDS = ['post /view/end', 'post /sign-out', `delete ${VIEW}`];
const service = useService({ WORKERS: 'off' });
let mine: FullAccount;
let ada: Person;
let jane: Person;
let browser: Browser;

beforeEach(async () => {
  mine = await makeFullAccount(service(), { name: 'Contact' });
  ada = await service().makePerson(mine.owner);
  jane = await service().makePerson(mine.owner, { clientId: mine.client, actions: ['see', 'triage'] });
  browser = await Browser.of(service(), ada.email);
});

const pageOfJane = () => `/clients/${mine.client}/people/${jane.id}`;

async function see(path = pageOfJane()): Promise<void> {
  const { status, headers } = await browser.post(`${path}/view`);
  expect({ status, to: headers.location }).toEqual({ status: 303, to: '/' });
}

const says = ({ name }: Person) => `You are viewing as ${name}. You cannot change anything.`;

/** The part of a page that is neither the bar nor the frame, but for what every page has anew. */
function contentIn(page: string): string {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  return main
    .replace(/<div class="view-bar".*?<\/form><\/div>/s, '')
    .replace(/name="up_to" value="[^"]*"/g, '')
    .replace(/ data-looked="[^"]*"/, '') // says who looked, for the audit log
    .replace(/ data-presence="[^"]*"/, '') // others' eyes leave no trace
    .replace(/ data-read-in-view(?:="[^"]*")?/g, '')
    .replace(/<p><a href="\/account#keys">.*?<\/p>/s, ''); // leads to what is the person's own
}

const auditOf = async (action: string) => (await mine.owner.read(`/api/v1/audit?action=${action}`)).entries;

const filled = (template: string) => fillTemplate(template, (noun) => String(mine.ids[noun]));

describe('An owner who sees the pages as a person of a client', () => {
  it('sees what the person sees, and nothing else', async () => {
    const other = await mine.owner.makeForm({ name: 'Not granted' });
    const hers = await Browser.of(service(), jane.email);
    const submission = `/inbox/${mine.form.identifier}/${String(mine.ids.submissions)}`;
    await hers.post(`${submission}/notes`, { 'note.text': 'Called back' });
    await hers.get(submission); // is read then, by the person alone
    await service().submitFile(mine.form, 'another');

    await see();

    const forms = ['/forms', `/forms/${mine.form.identifier}`];
    for (const path of ['/inbox', submission, ...forms, '/status', '/new-form', '/people']) {
      const [seen, own] = [await browser.get(path), await hers.get(path)];
      expect({ path, status: seen.status }).toEqual({ path, status: own.status });
      expect(seen.text).toContain(says(jane));
      if (seen.status === 200) expect(contentIn(seen.text)).toBe(contentIn(own.text));
    }
    const hidden = await browser.get(`/forms/${other.identifier}`);
    expect(hidden.status).toBe(404);
    expect(hidden.text).toContain(says(jane));
  });

  it('learns nothing of where else the person acts, nor what is the person’s own', async () => {
    const stranger = await service().openAccount('Elsewhere Ltd');
    await service().actFor(stranger, jane, { clientId: null, role: 'viewer' });
    await see();

    expect((await browser.get('/inbox')).text).not.toContain('Elsewhere');
    expect((await browser.get('/inbox')).text).not.toContain('href="/account"');
    for (const path of ['/account', '/account/passkeys', '/account/totp', '/account/email']) {
      const { status, text } = await browser.get(path);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(text).not.toContain(jane.email);
    }
    for (const path of ['/api/v1/me/passkeys']) {
      refusal(403, 'only_looking')(await browser.call('get', path));
    }
  });

  it('is shown no secret, though the person may see it', async () => {
    const editor = await service().makePerson(mine.owner, { clientId: null, role: 'editor' });
    const page = `${await mine.owner.firstPath(mine.form, 'webhook')}/secret`;
    expect((await browser.get(page)).status).toBe(200);
    await see(`/people/${editor.id}`);
    expect((await browser.get('/new-form')).status).toBe(200);
    const { status, text } = await browser.get(page);
    expect(status).toBe(403);
    expect(text).toContain(says(editor));
  });

  it('marks nothing as read, neither for the person nor for themselves', async () => {
    const hers = await Browser.of(service(), jane.email);
    const submission = `/inbox/${mine.form.identifier}/${String(mine.ids.submissions)}`;
    await see();
    const { status, text } = await browser.get(submission);
    expect(status).toBe(200);
    expect(text).not.toContain('data-read-in-view');
    await browser.post('/view/end');

    for (const each of [hers, browser]) {
      expect((await each.get('/inbox?q=is:unread')).text).toContain(submission);
    }
  });

  it('changes nothing on any route, but ends it or signs out', async () => {
    await see();
    const before = await contentOf(mine.owner);
    const changing = templatesOf(service().app).filter(
      ({ method, path }) =>
        method !== 'get' && (isPage(path) || isForSessions(path)) && !ENDS.includes(`${method} ${path}`),
    );
    expect(changing.length).toBeGreaterThan(60);

    const wrong: object[] = [];
    for (const { method, path: template } of changing) {
      const path = filled(template);
      const { status, text } = isPage(path)
        ? await browser.post(path, { done: 'true', id: String(mine.ids.submissions) })
        : await browser.call(method, path, {});
      const says = isPage(path) ? 'You cannot change anything' : 'only_looking';
      if (status !== 403 || !text.includes(says)) wrong.push({ method, path, status });
    }
    expect(wrong).toEqual([]);
    expect(await contentOf(mine.owner)).toEqual(before);
    expect((await browser.get('/inbox')).text).toContain(says(jane));
  });

  it('reads as whom on every page, and opens none that is for who signs in', async () => {
    await see();
    const pages = templatesOf(service().app).filter(
      ({ method, path }) => method === 'get' && isPage(path) && path !== '/',
    );
    for (const { path: template } of pages) {
      const path = filled(template);
      const { status, text, type } = await browser.get(path);
      const isShown = status !== 303 && type === 'text/html';
      expect({ path, isSaid: !isShown || text.includes(says(jane)) }).toEqual({ path, isSaid: true });
      const isForOthers = /^\/(?:sign-in|setup|invitation|account)(?:\/|$)/.test(path);
      if (isForOthers) expect({ path, status }).toEqual({ path, status: 403 });
    }
  });

  it('cannot look through the eyes of yet another, before ending it', async () => {
    const viewer = await service().makePerson(mine.owner, { clientId: null, role: 'viewer' });
    await see();
    expect((await browser.post(`/people/${viewer.id}/view`)).status).toBe(403);
    expect((await browser.get('/inbox')).text).toContain(says(jane));

    const { status, headers } = await browser.post('/view/end');
    expect({ status, to: headers.location }).toEqual({ status: 303, to: pageOfJane() });
    const { text } = await browser.get(pageOfJane());
    expect(text).toContain('You are back in your own view.');
    expect(text).not.toContain(says(jane));
    await see(`/people/${viewer.id}`);
    expect((await browser.get('/clients')).text).toContain(says(viewer));
  });

  it('is named in the audit log, with whom they saw it as', async () => {
    await see();
    await browser.get(`/inbox/${mine.form.identifier}/${String(mine.ids.submissions)}`);
    await browser.post('/view/end');

    const actor = { kind: 'person', id: ada.id, name: ada.name };
    const target = { kind: 'person', id: String(jane.id), name: jane.name };
    const details = { client_id: mine.client };
    expect(await auditOf('person.view_begun')).toMatchObject([{ actor, target, details }]);
    expect(await auditOf('person.view_ended')).toMatchObject([{ actor, target }]);
    expect(await auditOf('submission.viewed')).toMatchObject([
      { actor, details: { client_id: mine.client, seen_as: jane.name } },
    ]);
  });

  it('signs out from there, as themselves', async () => {
    await see();
    expect((await browser.post('/sign-out')).status).toBe(303);
    expect((await browser.get('/inbox')).headers.location).toContain('/sign-in');
    expect(await auditOf('person.view_ended')).toHaveLength(1);
    expect(await auditOf('person.signed_out')).toMatchObject([{ actor: { id: ada.id } }]);
    await browser.signIn(ada.email);
    expect((await browser.get('/inbox')).text).not.toContain(says(jane));
  });
});

describe('Seeing the pages as somebody else ends', () => {
  const patch = (path: string, person: object) => mine.owner.patch(path).send({ person });
  const apiOfJane = () => `/api/v1/clients/${mine.client}/people/${jane.id}` as const;

  it.each<[string, () => Promise<unknown>]>([
    ['when the person is kept out', () => patch(apiOfJane(), { disabled: true })],
    ['when the person is removed', () => mine.owner.delete(apiOfJane()).expect(200)],
    ['when the person is disabled', () => service().app.get(PeopleService).disable(COMMAND_LINE, jane.email, true)],
    ['when the client is deleted', () => mine.owner.delete(`/api/v1/clients/${mine.client}`).expect(200)],
    ['when the owner is none any more', () => patch(`/api/v1/people/${ada.id}`, { role: 'editor' })],
    ['when the owner is kept out', () => patch(`/api/v1/people/${ada.id}`, { disabled: true })],
  ])('%s: the next request does nothing, and the one after it is their own', async (_, end) => {
    await see();
    await end();
    const submission = `/inbox/${mine.form.identifier}/${String(mine.ids.submissions)}`;

    const first = await browser.post(`${submission}/marks`, { trash: 'true' });

    expect(first.status).toBe(409);
    expect(first.text).toContain('Nothing changed.');
    const { body } = await mine.owner.get(`/api/v1/forms/${mine.form.identifier}/submissions`);
    expect(body.submissions).toHaveLength(1);
    const next = await browser.get('/inbox');
    expect([200, 303]).toContain(next.status);
    expect(next.text).not.toContain(says(jane));
  });

  it('when a member becomes an owner', async () => {
    const viewer = await service().makePerson(mine.owner, { clientId: null, role: 'viewer' });
    await see(`/people/${viewer.id}`);
    await patch(`/api/v1/people/${viewer.id}`, { role: 'owner' }).expect(200);
    expect((await browser.get('/people')).status).toBe(409);
    expect((await browser.get('/people')).status).toBe(200);
  });
});

describe('Seeing the pages as somebody else', () => {
  it('is for owners alone', async () => {
    const editor = { clientId: null, role: 'editor' } as const;
    const others = [
      await service().makePerson(mine.owner, editor),
      await service().makePerson(mine.owner, { ...editor, role: 'viewer' }),
      jane,
    ];
    for (const who of others) {
      const theirs = await Browser.of(service(), who.email);
      expect((await theirs.post(`${pageOfJane()}/view`)).status).toBe(403);
      const view = { person_id: jane.id, client_id: mine.client };
      refusal(403, 'not_allowed_here')(await theirs.call('post', VIEW, { view }));
      const unknown = { person_id: 2_000_000_000 };
      refusal(403, 'not_allowed_here')(await theirs.call('post', VIEW, { view: unknown }));
    }
  });

  it('shows nobody of another account: they are as unknown as who does not exist', async () => {
    const theirs = await makeFullAccount(service(), {});
    const person = await service().makePerson(theirs.owner, { clientId: null, role: 'viewer' });
    const view = { person_id: person.id };
    refusal(404, 'person_not_found')(await browser.call('post', VIEW, { view }));
    expect((await browser.get('/people')).status).toBe(200);
  });

  it('has nothing to show of another owner, of oneself, or of who is kept out', async () => {
    const other = await service().makePerson(mine.owner);
    const out = await service().makePerson(mine.owner, { clientId: null, role: 'viewer' });
    await mine.owner
      .patch(`/api/v1/people/${out.id}`)
      .send({ person: { disabled: true } })
      .expect(200);
    for (const { id } of [other, out, ada]) {
      expect((await browser.get(`/people/${id}`)).text).not.toContain(`/people/${id}/view`);
      expect((await browser.post(`/people/${id}/view`)).status).toBe(409);
      const view = { person_id: id };
      refusal(409, 'nothing_to_see')(await browser.call('post', VIEW, { view }));
    }
  });

  it('asks for a proof first when the last one is old', async () => {
    const sessions = service().app.get(SessionsRepository);
    const [session] = await sessions.listFor(ada.id);
    const old = new Date(Date.now() - 60 * 60 * 1000);
    await service()
      .app.get(UnitOfWork)
      .run((tx) => sessions.in(tx).update(session?.id ?? Buffer.alloc(0), { provedAt: old }));

    const { status, text } = await browser.post(`${pageOfJane()}/view`);

    expect(status).toBe(403);
    expect(text).toContain('action="/confirm"');
    expect((await browser.get('/people')).status).toBe(200);
  });

  it('shows nothing of the whole service, whichever of the two is an operator', async () => {
    const viewer = await service().makePerson(mine.owner, { clientId: null, role: 'viewer' });
    for (const { email } of [ada, viewer]) {
      await service().app.get(PeopleService).makeOperator(COMMAND_LINE, email, true);
    }
    expect((await browser.get('/status')).text).toContain('action="/status/checks"');

    await see(`/people/${viewer.id}`);

    const { status, text } = await browser.get('/status');
    expect(status).toBe(200);
    expect(text).not.toContain('action="/status/checks"');
    expect((await browser.post('/status/checks')).status).toBe(403);
  });

  it('begins and ends by the API too', async () => {
    const view = { person_id: jane.id, client_id: mine.client };
    const seen = { view: { ...view, name: jane.name } };
    expect((await browser.call('post', VIEW, { view: { person_id: 'x' } })).status).toBe(422);

    expect((await browser.call('post', VIEW, { view })).body).toEqual(seen);
    expect((await browser.call('get', VIEW)).body).toEqual(seen);
    expect((await browser.get('/inbox')).text).toContain(says(jane));
    for (const method of ['delete', 'get', 'delete'] satisfies Method[]) {
      const { status, body } = await browser.call(method, VIEW);
      expect({ status, body: body }).toEqual({ status: 200, body: { view: null } });
    }
    expect((await browser.get('/people')).status).toBe(200);
  });
});
