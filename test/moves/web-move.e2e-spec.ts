import type { Browser } from '../support/people.js';
import { useService, type Caller } from '../support/service.js';
import { send, urlencoded } from '../support/submit.js';
import { until } from '../support/until.js';

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let browser: Browser;
beforeAll(async () => {
  owner = await service().openAccount();
  browser = await service().makeBrowser(owner);
});

const PAGE =
  '<form action="https://formspree.io/f/mvdyoyzk" method="POST"><label>Your e-mail <input type="email" name="email" required></label></form>';
const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
const formsOf = async () => (await owner.read('/api/v1/forms')).forms;

it('A site moves here: its forms are shown, made, reached, and seen to be reached', async () => {
  const found = await browser.post('/move', { 'move.content': PAGE });
  expect(found.status).toBe(200);
  expect(found.text).toContain('We found one form');
  expect(found.text).toContain('Your e-mail');
  expect(await formsOf()).toEqual([]);

  const made = await browser.post('/move', { 'move.content': PAGE, make: 'true' });
  const [form] = await formsOf();
  const address = `${service().config.baseUrl}/f/${form?.identifier}`;
  expect(made.text).toContain(`action=&quot;${address}&quot;`);

  const sent = { ...urlencoded([['email', 'jane@example.com']]), headers: { Origin: 'https://shop.example' } };
  expect((await send(`${service().url}/f/mvdyoyzk`, sent)).status).toBe(200);
  await until(async () => (await browser.get('/move')).text.includes('https://shop.example'));
  const { text } = await browser.get('/move');
  const row = /<caption>Old IDs<.*?<\/tr><\/tbody>/s.exec(text)?.[0] ?? '';
  expect(row).toContain('mvdyoyzk');
  expect(countOf(row, /<th scope="col"/g)).toBe(countOf(row, /<td|<th scope="row"/g));
});

it('What has no form is said at the field, with what was pasted', async () => {
  const { status, text } = await browser.post('/move', { 'move.content': '<p>Hello there' });
  expect(status).toBe(422);
  expect(text).toContain('This page has no form');
  expect(text).toContain('&lt;p>Hello there');
});

it('An old id is added by its whole address, refused with a reason, and removed', async () => {
  const here = `/forms/${(await owner.makeForm()).identifier}/aliases`;
  const value = 'https://formcarry.com/s/oLd1';
  const added = await browser.post(here, { 'alias.provider': 'formspree', 'alias.value': value });
  expect(added.status).toBe(303);
  const { text } = await browser.get(here);
  expect(text).toContain('<code>oLd1</code>');
  expect(text).toContain('Formcarry');

  const refused = await browser.post(here, { ...{ 'alias.provider': 'formspark', 'alias.value': 'inbox' } });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('is an address of this service itself');

  const id = /aliases\/(\d+)\/remove/.exec(text)?.[1];
  expect((await browser.post(`${here}/${id}/remove`, {})).status).toBe(303);
  expect((await browser.get(here)).text).not.toContain('oLd1');
});

it('How a form answers is chosen', async () => {
  const path = `/forms/${(await owner.makeForm()).identifier}`;
  expect((await browser.post(`${path}/dialect`, { dialect: 'netlify' })).status).toBe(303);
  expect(await owner.read(`/api/v1${path}/dialect`)).toEqual({ dialect: 'netlify' });
  expect((await browser.get(`${path}/aliases`)).text).toContain('value="netlify" selected');
});
