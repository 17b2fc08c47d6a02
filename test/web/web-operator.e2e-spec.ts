import { DataSource } from 'typeorm';
import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import type { FindingDto } from '../../src/operations/doctor/instance.dto.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner } from '../support/service.js';
import { send, urlencoded } from '../support/submit.js';

const service = useService({ WORKERS: 'off' });
let browser: Browser;
let email: string;
const owner = useOwner(service, 'Studio Nord');
beforeEach(async () => {
  ({ email } = await service().makePerson(owner));
  browser = await Browser.of(service(), email);
});

const makeOperator = (isOperator: boolean) =>
  service().app.get(PeopleService).makeOperator(COMMAND_LINE, email, isOperator);

describe('The page of the status', () => {
  it('shows an operator the whole service: every account, queues, disk and checks', async () => {
    const other = await service().openAccount('Studio Süd');
    const form = await other.makeForm({ notify_owner_emails: 'a@example.com' });
    await send(`${service().url}/f/${form.identifier}`, urlencoded([['name', 'Zoë']]));
    await service().submitFile(form, 'x'.repeat(1_500));
    await makeOperator(true);

    const { text } = await browser.get('/status');

    expect(text).toMatch(/Studio Süd<\/th>(?:<td[^>]*>[120]<\/td>){3}<td[^>]*>1.5 KiB<\/td>/);
    expect(text).toContain('Studio Nord');
    expect(text).toMatch(/(?:SQLite|MySQL|MariaDB) \d+\.\d+/);
    expect(text).toMatch(/Delivery queue<\/dt><dd>[1-9]/);
    for (const check of ['Durability', 'Disk space', 'Deliveries']) expect(text).toContain(check);
  });

  it('says once what is wrong with many forms, with the way to mend each', async () => {
    const silent = { notify_owner_on_submission: false, webhook_url: null };
    const forms = [await owner.makeForm(silent), await owner.makeForm(silent)];

    const { text } = await browser.get('/status');

    expect(text.split('Nobody is notified of submissions')).toHaveLength(2);
    for (const { identifier } of forms) expect(text).toContain(`/forms/${identifier}/settings#notifications`);
  });

  it('runs the checks that take a while when asked, and names the setting that mends it', async () => {
    await makeOperator(true);
    expect((await browser.post('/status/checks')).status).toBe(303);

    const { text } = await browser.get('/status');

    expect(text).toContain('SMTP_URL is not set');
    expect(text).toContain('<code>SMTP_URL, MAIL_FROM</code>');
  });

  it('has a button for what can be set right by it, for operators alone', async () => {
    const form = await owner.makeForm();
    await send(`${service().url}/f/${form.identifier}`, urlencoded([['name', 'Zoë']]));
    const { app } = service();
    const miscount = 'UPDATE forms SET submission_count = 7 WHERE id = ?';
    await app.get(DataSource).query(miscount, [form.id]);
    expect((await browser.post('/status/mend')).status).toBe(403);
    await makeOperator(true);
    await browser.post('/status/checks');
    const { text: before } = await browser.get('/status');
    expect(before).toContain('action="/status/mend"');
    expect(before).toContain('A check fails: submission counts.');
    expect(before).not.toContain('Everything works');

    expect((await browser.post('/status/mend')).status).toBe(303);

    const { text } = await browser.get('/status');
    expect(text).not.toContain('action="/status/mend"');
    expect(text).toContain('Fixed, and');
    expect(await owner.countOf(form)).toBe(1);
  });

  it('shows others what concerns their account, and nothing of the service or of other accounts', async () => {
    await service().openAccount('Studio Süd');
    for (const isOperator of [true, false]) {
      await makeOperator(isOperator);
      const { text } = await browser.get('/status');
      expect(text.includes('Studio Süd')).toBe(isOperator);
      expect(text.includes('Durability')).toBe(isOperator);
    }
    expect((await browser.post('/status/checks')).status).toBe(403);
  });
});

describe('The state of the service by API', () => {
  const INSTANCE = '/api/v1/me/instance';

  it('shows an operator what the page shows, runs the checks and mends', async () => {
    const form = await owner.makeForm();
    await send(`${service().url}/f/${form.identifier}`, urlencoded([['name', 'Zoë']]));
    const miscount = 'UPDATE forms SET submission_count = 7 WHERE id = ?';
    await service().query(miscount, [form.id]);
    await makeOperator(true);

    expect((await browser.call('get', INSTANCE)).body).toMatchObject({
      instance: {
        disk_free_bytes: expect.any(Number),
        accounts: expect.arrayContaining([expect.objectContaining({ name: 'Studio Nord', forms: 1, submissions: 7 })]),
        accounts_count: expect.any(Number),
      },
    });
    const counts = async (address: string) => {
      const { body } = await browser.call('post', address);
      const { findings } = (body as { instance: { findings: FindingDto[] } }).instance;
      return findings.find(({ name }) => name === 'submission counts');
    };
    expect(await counts(`${INSTANCE}/checks`)).toMatchObject({ state: 'failed', can_mend: true });
    expect(await counts(`${INSTANCE}/mend`)).toMatchObject({ state: 'ok' });
    expect(await owner.countOf(form)).toBe(1);
  });

  it('is for operators alone, and for no token', async () => {
    for (const [method, path] of [
      ['get', INSTANCE],
      ['post', `${INSTANCE}/checks`],
      ['post', `${INSTANCE}/mend`],
    ] as const) {
      const answer = await browser.call(method, path);
      refusal(403, 'not_allowed_here')(answer);
      const byToken = await owner[method](path);
      if (method === 'get') refusal(401, 'session_required')(byToken);
      else refusal(403, 'foreign_request')(byToken);
    }
  });
});
