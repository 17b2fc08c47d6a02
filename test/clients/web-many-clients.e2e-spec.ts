import request from 'supertest';
import { textOf } from '../support/page.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
let bakery: FormBody;

const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  bakery = await owner.makeForm({ name: 'Bäckerei: orders' });
  const joiner = await owner.makeForm({ name: 'Joiner: contact' });
  await owner.makeForm({ name: 'Test' });
  await owner.makeClient({ name: 'Bäckerei Müller', email: 'm@bakery.example', form_ids: [bakery.id] });
  await owner.makeClient({ name: 'Huber', email: 'huber@example.com', form_ids: [joiner.id] });
  const stranger = await service().openAccount('Other');
  const theirs = await stranger.makeForm({ name: 'Bäckerei of others' });
  await stranger.makeClient({ name: 'Bäckerei of others', form_ids: [theirs.id] });
});

const names = async (path: string) => {
  const { text } = await jane.get(path);
  return textOf(text.slice(text.indexOf('<tbody')), 'th').map((each) =>
    each.replace(/<p .*<\/p>|<[^<>]*>/g, '').trim(),
  );
};

describe('The list of forms', () => {
  it('is searched by every word of a name, in any case of any letter', async () => {
    expect(await names('/forms?q=ORDERS+BÄCKER')).toEqual(['Bäckerei: orders']);
    expect((await jane.get('/forms?q=nowhere')).text).toContain('No forms match this filter.');
  });

  it('is sorted by name, by submissions and by the last one', async () => {
    await service().submit(bakery, { name: 'Jane' });

    expect(await names('/forms')).toEqual(['Bäckerei: orders', 'Joiner: contact', 'Test']);
    for (const sort of ['submissions', 'latest']) {
      const [first] = await names(`/forms?sort=${sort}`);
      expect({ sort, first }).toEqual({ sort, first: 'Bäckerei: orders' });
    }
    await owner.makeForm({ name: 'Arrivals' });
    expect((await names('/forms?sort=name'))[0]).toBe('Arrivals');
  });

  it('is sorted by client, those of none at the end, and turned round', async () => {
    const sorted = ['Bäckerei: orders', 'Joiner: contact', 'Test'];
    expect(await names('/forms?sort=client')).toEqual(sorted);
    expect(await names('/forms?sort=-client')).toEqual(sorted.toReversed());
    const { text } = await jane.get('/forms?sort=name');
    expect(text).toContain('aria-sort="ascending"');
    expect(text).toContain('href="/forms?sort=-name"');
  });
});

it('The list of clients is searched by name and by address', async () => {
  expect(await names('/clients?q=bäcker')).toEqual(['Bäckerei Müller']);
  expect(await names('/clients?q=HUBER@')).toEqual(['Huber']);
  expect((await jane.get('/clients?q=nobody')).text).toContain('No client has “nobody”');
});

describe('Going to a place by its name', () => {
  it('finds clients, people and visitors', async () => {
    const kim = await service().makePerson(owner);

    const client = (await jane.get('/go?q=bäckerei')).text;
    expect(client).toMatch(/href="\/clients\/\d+"/);
    expect(client).not.toContain('of others');
    expect((await jane.get(`/go?q=${kim.email}`)).text).toContain(`/people/${kim.id}"`);
    expect((await jane.get('/go?q=ann@example.com')).text).toContain('href="/visitors/ann%40example.com"');
  });

  it('names no client and nobody to somebody of a client', async () => {
    const clientId = await owner.makeClient({ form_ids: [bakery.id] });
    const browser = await service().makeBrowser(owner, { clientId, actions: ['see'] });
    const page = await browser.get('/go?q=b');

    expect(page.text).toContain('Bäckerei: orders');
    expect(page.text).not.toMatch(/\/clients\/|\/people\//);
  });
});

describe('The pages of a client', () => {
  it('are tabs: what its forms received, its forms, people, look and report', async () => {
    const id = await owner.makeClient({ name: 'Joiner', form_ids: [bakery.id] });
    const here = `/clients/${id}`;
    await service().submit(bakery, { name: 'Jane' });
    await service().upkeep();
    for (const [path, tab] of Object.entries({
      ...{ '': 'Overview', '/forms': 'Forms', '/people': 'People', '/brand': 'Look' },
      ...{ '/host': 'Look', '/report': 'Report' },
    })) {
      const { text } = await jane.get(`${here}${path}`);
      const [, tabs = ''] = /<nav class="tabs" aria-label="Pages of this client">(.*?)<\/nav>/.exec(text) ?? [];
      expect({ path, now: /aria-current="page">([^<]*)/.exec(tabs)?.[1] }).toEqual({ path, now: tab });
    }
    const { text } = await jane.get(here);
    expect(textOf(text, 'dd')[0]).toBe('1');
    expect(text).toContain(`/inbox?q=form%3A${bakery.identifier}`);
  });

  it('change its name and its forms apart from each other, and save its look at once', async () => {
    const id = await owner.makeClient({ name: 'Joiner', form_ids: [bakery.id] });
    const here = `/clients/${id}`;
    const other = await owner.makeForm({ name: 'Quotes' });
    const details = { 'client.name': 'Joiner Huber', 'client.email': 'joiner@example.com' };
    expect((await jane.post(here, details)).status).toBe(303);
    await jane.post(`${here}/forms/add`, { 'client.form_ids': String(other.id) });
    await jane.post(`${here}/forms/remove`, { 'client.form_ids': String(bakery.id) });
    const [client] = (await owner.read(`/api/v1/clients/${id}`)) as unknown as [
      { name: string; forms: { id: number }[] },
    ];
    expect([client.name, client.forms.map((form) => form.id)]).toEqual(['Joiner Huber', [other.id]]);

    const save = (fields: Record<string, string>) => {
      const cookies = [...jane.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const call = request(service().url)
        .post(`${here}/brand`)
        .redirects(0)
        .set({ 'Sec-Fetch-Site': 'same-origin', Cookie: cookies });
      for (const [name, value] of Object.entries(fields)) void call.field(name, value);
      return call;
    };
    const wrong = { 'brand.name': 'Huber', 'form_defaults.notify_owner_emails': 'nobody' };
    expect((await save(wrong)).status).toBe(422);
    const many = Array.from({ length: 11 }, (_, n) => `a${n}@example.com`).join(',');
    expect((await save({ ...wrong, 'form_defaults.notify_owner_emails': many })).status).toBe(422);
    const brand = async () => (await owner.read(`/api/v1/clients/${id}/brand`)).brand;
    expect(await brand()).toMatchObject({ name: null });
    const look = { 'brand.name': 'Huber', 'form_defaults.bg_color': '#fff' };
    expect((await save(look)).status).toBe(303);
    expect(await brand()).toMatchObject({ name: 'Huber' });
    const [entry] = (await owner.read('/api/v1/audit?action=client.changed')).entries;
    expect(entry?.details.settings).toMatch(/name.*sender\.from.*form_defaults/);
    expect(await owner.read(`/api/v1/clients/${id}/form-defaults`)).toMatchObject({
      form_defaults: { bg_color: '#fff' },
    });
  });
});
