import { accountOf, Browser, PASSWORD } from '../support/people.js';
import { elementsOf, textOf } from '../support/page.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type Caller } from '../support/service.js';

const PEOPLE = '/api/v1/people';
const service = useService({ WORKERS: 'off' });
let ada: { id: number; email: string };
let browser: Browser;
const owner = useOwner(service, 'Studio Nord');
beforeEach(async () => {
  ada = await service().makePerson(owner);
  browser = await Browser.of(service(), ada.email);
});

const viewer = () => service().makePerson(owner, { clientId: null, role: 'viewer' });

async function act(path: string, fields: Record<string, string> = {}) {
  const { status, headers } = await browser.post(path, fields);
  expect({ path, status }).toEqual({ path, status: 303 });
  return browser.get(headers.location ?? '');
}

/** Returns the part after `#` in an invitation link of a page or an answer. */
const secretIn = (text: string): string => /#(fcs_invitation_\w+)/.exec(text)?.[1] ?? '';

const accept = (secret: string) =>
  new Browser(service()).post('/invitation/accept', { invitation: secret, name: 'Jane', password: PASSWORD });

const membersOf = async (caller: Caller) => (await caller.read(PEOPLE)).people;

describe('The page of people', () => {
  it('lists members and open invitations, and says what each role may do', async () => {
    const { email } = await viewer();
    const client = await owner.makeClient({ name: 'Bakery' });
    const person = { email: 'jo@example.com', name: 'Jo', send: false };
    await owner.post(`/api/v1/clients/${client}/people`, { person }).expect(201);

    const { text } = await browser.get('/people');

    for (const shown of [ada.email, email, 'jo@example.com', 'Client: Bakery']) {
      expect(text).toContain(shown);
    }
    const [, , roles = ''] = text.split('<table');
    const rows = textOf(text.slice(text.indexOf(roles)), 'tr').filter((row) => row.includes('<td'));
    const allowed = rows
      .filter((row) => row.includes('>yes<') && row.includes('scope="row"'))
      .map((row) => [/<th[^>]*>([^<]*)/.exec(row)?.[1], row.split('>yes<').length - 1]);
    expect(Object.fromEntries(allowed)).toMatchObject({
      'Read and export submissions': 3,
      'Change and delete forms': 2,
      'Create forms': 2,
      'Invite people and change their roles': 1,
    });
  });

  it('stands in the settings, whose index is beside each of its pages', async () => {
    const railOf = (text: string) => /<nav class="rail".*?<\/nav>/.exec(text)?.[0] ?? '';
    const { text } = await browser.get('/people');
    expect(elementsOf(railOf(text)).filter(({ name }) => name === 'a')).toMatchObject([
      { attributes: { href: '/inbox' } },
      { attributes: { href: '/forms' } },
      { attributes: { href: '/settings', 'aria-current': 'page' } },
    ]);
    const [, index = ''] = /<nav class="index" aria-label="Settings">(.*?)<\/nav>/.exec(text) ?? [];
    for (const path of ['/brand', '/tokens', '/audit', '/status', '/spam-learning', '/visitors']) {
      expect(index).toContain(`href="${path}"`);
      expect((await browser.get(path)).text).toContain('class="index"');
    }
    expect(index).toContain('<a href="/people" aria-current="page">Team</a>');
    await owner.makeClient();
    expect(railOf((await browser.get('/people')).text)).toContain('href="/clients"');
  });

  it('is for owners: others have no way to it', async () => {
    const other = await Browser.of(service(), (await viewer()).email);
    expect((await other.get('/people')).status).toBe(403);
    expect((await other.get('/settings')).text).not.toContain('href="/people"');
    expect((await browser.get('/settings')).text).toContain('href="/people"');
    for (const path of [`/people/${ada.id}`, `/people/${ada.id}/remove`, '/people']) {
      expect((await other.post(path, { 'person.role': 'viewer' })).status).toBe(403);
    }
  });
});

describe('Inviting on the page', () => {
  const jane = { 'person.name': 'Jane', 'person.email': 'jane@example.com', 'person.role': 'editor' };

  it('shows the link to pass on, once, which lets in', async () => {
    const { status, text } = await browser.post('/people', jane);
    expect(status).toBe(200);
    const secret = secretIn(text);
    expect((await browser.get('/people')).text).not.toContain(secret);

    expect((await accept(secret)).status).toBe(303);
    expect(await membersOf(owner)).toMatchObject([{}, { email: 'jane@example.com', role: 'editor' }]);
  });

  it('mails the link, and then shows it to nobody', async () => {
    const { text } = await act('/people', { ...jane, 'person.send': 'true' });
    expect(text).toContain('Invitation sent');
    expect(text).toContain('jane@example.com');
    expect(secretIn(text)).toBe('');
  });

  it('says beside the field what is wrong, and keeps what was typed', async () => {
    const { email } = await viewer();
    for (const typed of ['nobody', email]) {
      const { status, text } = await browser.post('/people', { ...jane, 'person.email': typed });
      const at = elementsOf(text).find(({ attributes }) => 'autofocus' in attributes);
      expect({ status, at: at?.attributes }).toMatchObject({
        status: 422,
        at: { name: 'person.email', value: typed, 'aria-invalid': 'true' },
      });
      expect(text).toContain('value="Jane"');
    }
  });

  it('is repeated with another link, or taken back', async () => {
    const first = secretIn((await browser.post('/people', jane)).text);
    const [, id = ''] = /\/invitations\/([\w-]+)\/resend/.exec((await browser.get('/people')).text) ?? [];

    const second = secretIn((await browser.post(`/invitations/${id}/resend`, { send: 'false' })).text);
    expect((await accept(first)).status).toBe(404);
    expect(second).not.toBe(first);
    const [, next = ''] = /\/invitations\/([\w-]+)\/withdraw/.exec((await browser.get('/people')).text) ?? [];
    await act(`/invitations/${next}/withdraw`);

    expect((await accept(second)).status).toBe(404);
    expect((await browser.get('/people')).text).not.toContain('jane@example.com');
  });
});

describe('The page of a member', () => {
  it('changes the role, keeps out and removes', async () => {
    const { id, email } = await viewer();
    const theirs = await Browser.of(service(), email);

    const saved = await act(`/people/${id}`, { 'person.role': 'editor' });
    expect(saved.text).toContain('Changes saved');
    expect(await membersOf(owner)).toMatchObject([{}, { role: 'editor' }]);
    await act(`/people/${id}`, { 'person.role': 'editor', 'person.disabled': 'true' });
    expect((await theirs.get('/account')).text).toContain('You have no workspace yet');
    expect((await browser.get('/people')).text).toContain('Suspended');
    await act(`/people/${id}/remove`);
    expect(await membersOf(owner)).toHaveLength(1);
  });

  it('of oneself changes nothing, and neither does one’s own token of the page', async () => {
    const { text } = await browser.get(`/people/${ada.id}`);
    expect(text).toContain('Ask another owner');
    expect(text).not.toContain('name="person.role"');
    for (const path of ['', '/remove', '/sessions/end']) {
      const { status } = await browser.post(`/people/${ada.id}${path}`, { 'person.role': 'viewer' });
      expect({ path, status }).toEqual({ path, status: 403 });
    }
    expect(await membersOf(owner)).toMatchObject([{ role: 'owner' }]);
  });
});

describe('The sessions of a member', () => {
  it('are counted and ended by an owner, who does not see from where they are', async () => {
    const { id, email } = await viewer();
    const theirs = await Browser.of(service(), email);
    expect(await owner.read(`${PEOPLE}/${id}/sessions`)).toEqual({
      sessions: [
        { way: 'password', began_at: expect.any(String) as unknown, last_seen_at: expect.any(String) as unknown },
      ],
    });

    await act(`/people/${id}/sessions/end`);

    expect((await theirs.get('/account')).status).toBe(303);
    expect((await browser.get(`/people/${id}`)).text).toContain('No active sessions.');
  });

  it('of people of a client are ended too; those of others are not found', async () => {
    const client = await owner.makeClient();
    const person = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    const theirs = await Browser.of(service(), person.email);
    const path = `/api/v1/clients/${client}/people/${person.id}/sessions` as const;
    const other = await service().openAccount();
    await other.delete(path).expect(refusal(404, 'person_not_found'));
    await owner.delete(`${PEOPLE}/${person.id}/sessions`).expect(refusal(404, 'person_not_found'));

    await owner.delete(path).expect(200);

    expect((await theirs.get('/account')).status).toBe(303);
  });
});

it('One person in several places goes from one to another by one click on any page', async () => {
  const elsewhere = await service().openAccount('Studio Süd');
  await service().actFor(elsewhere, ada, { clientId: null, role: 'viewer' });
  const bakery = await elsewhere.makeClient({ name: 'Bakery' });
  await service().actFor(elsewhere, ada, { clientId: bakery, actions: ['see'] });
  expect(await accountOf(elsewhere)).not.toBe(await accountOf(owner));

  for (const name of ['Studio Süd', 'Studio Süd: Bakery', 'Studio Nord']) {
    const { text } = await browser.get('/inbox');
    const [, place = ''] = new RegExp(`value="(\\d+)"[^>]*>(?:<[^>]+>)*${name}<`).exec(text) ?? [];
    await act('/account/switch', { membership: place });
    const menu = (await browser.get('/inbox')).text;
    expect(menu).toMatch(new RegExp(`aria-current="true"[^>]*>(?:<[^>]+>)*${name}<`));
  }
});

describe('The people of a client, on its page', () => {
  it('are invited with what they may do, changed and removed', async () => {
    const client = await owner.makeClient({ name: 'Bakery' });
    const here = `/clients/${client}`;
    const jo = { 'person.name': 'Jo', 'person.email': 'jo2@example.com', 'person.actions': 'export' };
    const link = await browser.post(`${here}/people`, jo);
    expect((await accept(secretIn(link.text))).status).toBe(303);
    expect((await browser.get(`${here}/people`)).text).toContain('view, export');
    const [, id = ''] = /\/people\/(\d+)"/.exec((await browser.get(`${here}/people`)).text) ?? [];

    await act(`${here}/people/${id}`, { 'person.actions': 'triage' });
    const { body } = await owner.get(`/api/v1${here}/people`).expect(200);
    expect(body).toMatchObject({ people: [{ actions: ['see', 'triage'], disabled: false }] });
    await act(`${here}/people/${id}`, { 'person.disabled': 'true' });
    expect((await browser.get(`${here}/people`)).text).toContain('Suspended');
    await act(`${here}/people/${id}/remove`);

    expect((await browser.get(`${here}/people`)).text).not.toContain('jo2@example.com');
    expect((await browser.get(`${here}/people/${id}`)).status).toBe(404);
  });
});
