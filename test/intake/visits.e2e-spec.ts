import { Counter } from '../../src/statistics/counter.entity.js';
import { NAMED_MAX } from '../../src/statistics/counting.service.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, json, send } from '../support/submit.js';

const service = useService({ WORKERS: 'off', TRUST_PROXY: '1', RATE_LIMIT_ADDRESS: '250' });
let inbox: Inbox;
let path: string;
/** Visitors of each test have a network of their own. */
let networks = 0;
beforeEach(async () => {
  networks++;
  inbox = await Inbox.open(service());
  path = `/api/v1/forms/${inbox.form.identifier}`;
});

const from = () => ({ 'X-Forwarded-For': `203.0.113.${networks}` });
const visit = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  send(`${inbox.url}/visits?${new URLSearchParams(query).toString()}`, { headers: { ...headers, ...from() } });
const flush = () => service().app.get(WaitingCounts).flush();
const submitFrom = (page: string, values: [string, string][] = [['email', 'ada@example.com']]) =>
  inbox.accept({ ...json([...values, ['_page', `https://shop.test${page}`]]), headers: from() });

async function visits() {
  await flush();
  await service().upkeep();
  const { total, pages, campaigns } = await inbox.owner.read(`${path}/statistics/visits` as const);
  return { total, pages, campaigns };
}
const none = { value: null, views: 0, starts: 0, submissions: 0, completion: null };

describe('Visits to the pages of a form', () => {
  it('are none where none are told of, whatever was submitted, and are not on its page', async () => {
    await submitFrom('/contact?utm_source=mail');
    expect(await visits()).toEqual({ total: none, pages: [], campaigns: [] });
    const jane = await service().makeBrowser(inbox.owner);
    const { text } = await jane.get(`/forms/${inbox.form.identifier}/activity`);
    expect(text).not.toContain('Completion');
  });

  it('are counted by page and campaign, with what came of them', async () => {
    for (const started of ['true', 'true', 'false', 'false']) {
      expect(await visit({ page: '/contact', campaign: 'spring', started })).toMatchObject({ status: 204, text: '' });
    }
    await visit({ page: '/home', campaign: '' });
    const id = await submitFrom('/contact?utm_source=mail&utm_campaign=spring');
    await submitFrom('/contact?utm_campaign=spring', [['email', 'bob@example.com']]);
    await submitFrom('/contact?utm_source=unseen', [['email', 'eve@example.com']]);
    await submitFrom('/unseen', [['email', 'joe@example.com']]);

    expect(await visits()).toEqual({
      total: { value: null, views: 5, starts: 2, submissions: 3, completion: 0.6 },
      pages: [
        { value: '/contact', views: 4, starts: 2, submissions: 3, completion: 0.75 },
        { ...none, value: '/home', views: 1, completion: 0 },
      ],
      campaigns: [{ value: 'spring', views: 4, starts: 2, submissions: 2, completion: 0.5 }],
    });
    const jane = await service().makeBrowser(inbox.owner);
    const { text } = await jane.get(`/forms/${inbox.form.identifier}/activity`);
    expect(text).toMatch(/\/contact<\/th>(?:<td[^>]*>\d+<\/td>){3}<td[^>]*>75%/);
    expect(text).toMatch(/spring<\/th>(?:<td[^>]*>\d+<\/td>){3}<td[^>]*>50%/);

    await inbox.owner.patch(`${path}/submissions/${id}`, { submission: { spam: true } }).expect(200);
    expect((await visits()).campaigns).toMatchObject([{ value: 'spring', submissions: 1 }]);
  });

  it('have no rate of completion where more was submitted than visits are known of', async () => {
    await visit({ page: '/contact' });
    for (const name of ['a', 'b']) await submitFrom('/contact', [['name', name]]);
    expect((await visits()).pages).toMatchObject([{ views: 1, submissions: 2, completion: null }]);
  });

  it('name no page that may be of one person, and no more than two hundred', async () => {
    await visit({ page: '/reset/jane@example.com', campaign: 'x'.repeat(300) });
    for (let n = 0; n <= NAMED_MAX; n++) await visit({ page: `/p${n}` });
    for (let n = 0; n < 11; n++) await visit({ page: `/p${n}` });
    const { pages, campaigns } = await visits();
    expect(pages).toHaveLength(11);
    expect(pages.at(-1)).toMatchObject({ value: null, views: NAMED_MAX + 2 + 11 - 20 });
    expect(campaigns).toEqual([{ ...none, views: 1, completion: 0 }]);
    const rows = await service().repository(Counter).findBy({ formId: inbox.form.id, length: 0, name: 'views:page' });
    expect(rows).toHaveLength(NAMED_MAX);
  });

  it('do not count from sites that the form does not take, and where they name no page', async () => {
    await inbox.owner.patch(path, { form: { whitelisted_domains: 'shop.test' } }).expect(200);
    for (const headers of [undefined, { Origin: 'https://elsewhere.test' }]) {
      expect((await visit({ page: '/contact' }, headers)).status).toBe(204);
    }
    const Origin = 'https://shop.test';
    expect((await visit({ page: 'https://shop.test/contact' }, { Origin })).status).toBe(204);
    expect((await visit({ started: 'maybe' }, { Origin })).status).toBe(422);
    expect((await visits()).total).toEqual(none);
    await visit({ page: '/contact?email=ada@example.com#top' }, { Origin });
    expect((await visits()).pages).toMatchObject([{ value: '/contact', views: 1 }]);
  });

  it('of an unknown form are refused', async () => {
    const { status } = await send(`${service().url}/f/0000000000000000/visits?page=/`, {});
    expect(status).toBe(404);
    await inbox.owner.get('/api/v1/forms/0000000000000000/statistics/visits').expect(refusal(404, 'form_not_found'));
  });

  it('beyond a limit of their own are refused, and no submission with them', async () => {
    const answers = new Set<number>();
    for (let n = 0; n <= 250; n++) answers.add((await visit({ page: '/contact' })).status);
    expect([...answers]).toEqual([204, 429]);
    await submitFrom('/contact');
  });
});
