import type { Schemas } from '../../build/api.js';
import { CanaryService } from '../../src/health/canary/canary.service.js';
import { PageChecks } from '../../src/health/canary/page/page-checks.service.js';
import { PageFetcher } from '../../src/health/canary/page/fetch-page.js';
import { GuardedHttpClient } from '../../src/platform/http-client/guarded-http-client.js';
import { BROKEN_PAGES, GOOD_PAGE, PROVEN_PAGE, UNSEEN_PAGES } from '../support/broken-pages.js';
import { CanarySite, html, status } from '../support/canary-site.js';
import { DAY_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { freePort } from '../support/program.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

type CanaryBody = Schemas['CanaryDto'];

const clock = useClock();
const server = useMailServer();
const port = await freePort();
const service = useService(() => ({
  ...{ PORT: port, BASE_URL: `http://127.0.0.1:${port}`, CANARY: 'on', SMTP_URL: server.url },
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}));

let site: CanarySite;
beforeAll(async () => {
  site = await new CanarySite().listen();
});
afterAll(() => site.close());
// Nothing of one test is due in another.
afterEach(() => owner.put(path(), { canary: { schedule: 'off' } }));

let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  site.pages = {};
  site.asked = [];
  owner = await service().openAccount();
  form = await owner.makeForm();
  await owner.setFields(form, [{ name: 'email', kind: 'email', required: true }]);
});

const path = () => `/api/v1/forms/${form.identifier}/canary` as const;
const address = () => `${service().url}/f/${form.identifier}`;
const page = () => `${site.origin}/contact`;

const change = async (canary: object): Promise<CanaryBody> =>
  (await owner.put(path(), { canary }).expect(200)).body.canary;

const show = async (): Promise<CanaryBody> => (await owner.read(path())).canary;

const run = async (): Promise<CanaryBody> => (await owner.post(`${path()}/run`).expect(200)).body.canary;

/** Runs the canary on the page of the site; returns what is not well with it. */
async function troubles(answer: CanarySite['pages'][string]): Promise<string[]> {
  site.pages['/contact'] = answer;
  await change({ page: page() });
  return (await run()).steps
    .filter(({ step, state }) => /page|form/.test(step) && state !== 'ok' && state !== 'skipped')
    .map(({ step, state, code }) => `${step} ${state} ${code}`);
}

const runTasks = () => service().upkeep(clock.now());

/** Runs tasks until the canary has run: other tests' tasks are due too, and a process runs a few at a time. */
async function runCanary(): Promise<void> {
  const { ran_at: before } = await show();
  for (let minute = 0; minute < 20 && (await show()).ran_at === before; minute++) await runTasks();
}

describe('The page of a form', () => {
  it('is well where its form is sent to us with all it needs', async () => {
    expect(await troubles(html(GOOD_PAGE(address())))).toEqual([]);
  });

  it.each([
    ['is broken', 'failed', 'action_missing', BROKEN_PAGES],
    ['hides what it does', 'unseen', 'form_in_frame', UNSEEN_PAGES],
  ])('%s', async (_, state, code, pages) => {
    const answer = html(pages[code]?.(address()) ?? '');
    expect(await troubles(answer)).toEqual([`form ${state} ${code}`]);
  });

  it('may send its form by a script of its own', async () => {
    site.pages['/app.js'] = (response) => response.end(`post("${address()}")`);
    const app = '<div id="app"></div><script src="/app.js"></script>';
    expect(await troubles(html(app))).toEqual(['form unseen form_by_script']);
  });

  it('has to have what the spam settings ask for', async () => {
    const spam = {
      honeypots: ['website'],
      signals: { proof_of_work: { enabled: true } },
      captcha: { provider: 'turnstile', site_key: 'KEY', secret: 'secret' },
    };
    await owner.put(`/api/v1/forms/${form.identifier}/spam`, { spam }).expect(200);
    expect(await troubles(html(PROVEN_PAGE(address())))).toEqual([]);
    const lacking = ['honeypot_missing', 'snippet_missing', 'captcha_missing'];
    expect(await troubles(html(GOOD_PAGE(address())))).toEqual([...lacking.map((code) => `form failed ${code}`)]);
  });

  it('may not forbid its form by a header', async () => {
    const policy = { 'content-security-policy': 'form-action https://www.example.com' };
    expect(await troubles(html(GOOD_PAGE(address()), policy))).toEqual(['form failed policy_forbids']);
    const allowed = { 'content-security-policy': `form-action 'self' http://127.0.0.1:${port}` };
    expect(await troubles(html(GOOD_PAGE(address()), allowed))).toEqual([]);
  });

  it.each<[string, CanarySite['pages'][string]]>([
    ['page_missing', status(404)],
    ['page_status', status(418)],
    ['page_needs_sign_in', status(401)],
    ['page_redirects', status(302, { location: '/contact' })],
    ['page_redirects', status(302, { location: 'mailto:jane@example.com' })],
    ['page_not_html', html('%PDF', { 'content-type': 'application/pdf' })],
    ['page_too_large', html('x'.repeat(10 << 20))],
    ['page_unreachable', (response) => response.destroy()],
  ])('cannot be fetched: %s', async (code, answer) => {
    expect(await troubles(answer)).toEqual([`page failed ${code}`]);
  });

  it('is followed to where it is now, in circles no further than once', async () => {
    site.pages['/new'] = html(GOOD_PAGE(address()));
    expect(await troubles(status(301, { location: '/new' }))).toEqual([]);
    site.pages['/new'] = status(302, { location: '/contact' });
    expect(await troubles(status(302, { location: '/new' }))).toEqual(['page failed page_redirects']);
    for (let i = 0; i < 10; i++) site.pages[`/${i}`] = status(302, { location: `/${i + 1}` });
    expect(await troubles(status(302, { location: '/0' }))).toEqual(['page failed page_redirects']);
    expect(site.asked).not.toContain('/9');
  });

  it('has to come in time', async () => {
    const { app } = service();
    const checks = app.get(PageChecks);
    const usual = checks.fetcher;
    checks.fetcher = new PageFetcher(app.get(GuardedHttpClient), 200);
    try {
      expect(await troubles(() => undefined)).toEqual(['page failed page_slow']);
    } finally {
      checks.fetcher = usual;
    }
  });

  it('is not looked at where its site asks robots not to', async () => {
    site.pages['/robots.txt'] = (response) => response.end('User-agent: *\nDisallow: /contact\n');
    expect(await troubles(html(GOOD_PAGE(address())))).toEqual(['page unseen robots']);
    expect(site.asked).not.toContain('/contact');
  });

  it('is not looked at in a private network, and nothing of that is', async () => {
    await change({ page: 'http://10.0.0.1/contact' });
    const { steps } = await run();
    expect(steps[0]).toMatchObject({ step: 'page', state: 'failed', code: 'page_private' });
    expect(steps[0]?.detail).toContain('private network');
    site.pages['/contact'] = status(302, { location: 'http://169.254.169.254/latest/meta-data' });
    await change({ page: page() });
    expect((await run()).steps[0]).toMatchObject({ code: 'page_private' });
  });

  it('has a name that the DNS knows, and a certificate that browsers trust', async () => {
    const http = service().app.get(GuardedHttpClient);
    const { resolve } = http;
    http.resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    try {
      await change({ page: 'https://gone.example.com/contact' });
      expect((await run()).steps[0]).toMatchObject({ state: 'failed', code: 'page_dns' });
    } finally {
      http.resolve = resolve;
    }
  });

  it('is named without what its visitor has behind the question mark', async () => {
    site.pages['/contact?visitor=victor'] = html(GOOD_PAGE(address()));
    await service().submit(form, { email: 'jane@example.com' }, { Referer: `${page()}?visitor=victor` });

    const { steps } = await run();

    expect(site.asked).toContain('/contact?visitor=victor');
    expect(steps[0]).toMatchObject({ step: 'page', state: 'ok', detail: `${page()} can be fetched.` });
    expect(JSON.stringify(steps)).not.toContain('victor');
  });

  it('is that which most of the newest submissions came from that are no spam', async () => {
    expect((await run()).steps[0]).toMatchObject({ state: 'unseen', code: 'page_unknown' });
    site.pages['/contact'] = html(GOOD_PAGE(address()));
    const values = { email: 'jane@example.com' };
    await service().submit(form, values, { Referer: page() });
    await service().submit(form, { ...values, _gotcha: 'x' }, { Referer: `${site.origin}/spam` });
    await service().submit(form, values, { Referer: `${page()}?from=mail` });
    await service().submit(form, values, { Referer: page() });
    await service().submit(form, values, { Referer: `${site.origin}/strange` });
    expect((await run()).steps[0]).toMatchObject({ state: 'ok' });
    expect(site.asked).toEqual(['/robots.txt', '/contact']);
  });

  it('is one of the allowed domains of the form', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { whitelisted_domains: 'example.com' } }).expect(200);
    await service().submit(form, { email: 'jane@example.com' }, { Referer: page() });
    expect((await run()).steps[0]).toMatchObject({ state: 'unseen', code: 'page_unknown' });
    expect(site.asked).toEqual([]);
  });

  it('has the fields that its submissions had', async () => {
    const values = { email: 'jane@example.com', phone: '1' };
    for (let i = 0; i < 5; i++) await service().submit(form, values, { Referer: page() });
    expect(await troubles(html(GOOD_PAGE(address())))).toEqual(['form failed fields_missing']);
  });
});

describe('The schedule', () => {
  it('is weekly from the first submission on, and spread over the week', async () => {
    await runTasks();
    expect((await show()).ran_at).toBeNull();
    await service().submit(form, { email: 'jane@example.com' });
    await runTasks();
    const { schedule, next_run_at: next } = await show();
    expect(schedule).toBe('weekly');
    expect(Date.parse(next ?? '')).toBeLessThan(clock.now().getTime() + 7 * DAY_MS);
    clock.forwardTo(next);
    await runCanary();
    const { ran_at: ranAt, next_run_at: after } = await show();
    expect(ranAt).not.toBeNull();
    expect(Date.parse(after ?? '')).toBe(Date.parse(next ?? '') + 7 * DAY_MS);
  });

  it('confirms a failure some minutes later, and ends it with the first run that is well', async () => {
    const canary = service().app.get(CanaryService);
    site.pages['/contact'] = status(500);
    await change({ schedule: 'daily', page: page() });
    clock.forwardTo((await show()).next_run_at);
    await runCanary();
    const { failed_since: unconfirmed, ran_at: firstAt, next_run_at: again } = await show();
    expect(unconfirmed).toBeNull();
    expect(await canary.failuresOf([form.id])).toEqual(new Map());
    clock.forwardTo(again);
    await runCanary();
    const { failed_since: since } = await show();
    expect(since).toBe(firstAt);
    expect((await canary.failuresOf([form.id])).get(form.id)).toMatchObject({
      ...{ since: new Date(since ?? ''), step: 'page', code: 'page_error' },
    });
    site.pages['/contact'] = html(GOOD_PAGE(address()));
    clock.forwardTo((await show()).next_run_at);
    await runCanary();
    expect((await show()).failed_since).toBeNull();
    expect(await canary.failuresOf([form.id])).toEqual(new Map());
  });

  it('runs at once what looks suspicious, but not what is off', async () => {
    const canary = service().app.get(CanaryService);
    await canary.expedite([form.id]);
    await runTasks();
    const { ran_at: ranAt } = await show();
    expect(ranAt).not.toBeNull();
    expect((await change({ schedule: 'off' })).next_run_at).toBeNull();
    clock.forward(MINUTE_MS);
    await canary.expedite([form.id]);
    await runTasks();
    expect((await show()).ran_at).toBe(ranAt);
  });

  it('ends a failure while the form is paused, and looks at nothing', async () => {
    site.pages['/contact'] = status(500);
    await change({ schedule: 'hourly', page: page() });
    for (let run = 0; run < 2; run++) {
      clock.forwardTo((await show()).next_run_at);
      await runCanary();
    }
    const { failed_since: since, ran_at: ranAt } = await show();
    expect(since).not.toBeNull();
    const paused = { intake: { paused: true } };
    await owner.put(`/api/v1/forms/${form.identifier}/intake`, paused).expect(200);
    clock.forwardTo((await show()).next_run_at);
    await runTasks();
    const after = await show();
    expect(after).toMatchObject({ failed_since: null, ran_at: ranAt });
    expect(Date.parse(after.next_run_at ?? '')).toBeGreaterThan(clock.now().getTime());
  });

  it('drops what a run found once the owner has turned it off meanwhile', async () => {
    site.pages['/contact'] = (response) => {
      void change({ schedule: 'off' }).then(() => response.writeHead(500).end());
    };
    await change({ schedule: 'hourly', page: page() });
    clock.forwardTo((await show()).next_run_at);
    await runTasks();
    expect(site.asked).toContain('/contact');
    expect(await show()).toMatchObject({ schedule: 'off', next_run_at: null, ran_at: null });
  });

  it('is forgotten with its form', async () => {
    await change({ schedule: 'hourly' });
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await runTasks();
    expect(await service().app.get(CanaryService).failuresOf([form.id])).toEqual(new Map());
    await owner.get(path()).expect(404);
  });
});

describe('The settings', () => {
  it('are weekly and the page of the newest submission by default', async () => {
    expect(await show()).toMatchObject({ schedule: 'weekly', page: null, steps: [] });
    expect(await change({ schedule: 'hourly' })).toMatchObject({ schedule: 'hourly', page: null });
    expect(await change({ page: page() })).toMatchObject({ schedule: 'hourly', page: page() });
    expect(await change({ page: null })).toMatchObject({ page: null });
    await owner.put(path(), { canary: { schedule: 'yearly' } }).expect(422);
    await owner.put(path(), { canary: { page: 'ftp://example.com' } }).expect(422);
  });

  it('stay without an entry in the audit log where a run names the same page again', async () => {
    const again = () => owner.post(`${path()}/run`, { page: page() }).expect(200);
    await again();
    await again();

    const { entries } = await owner.read('/api/v1/audit');
    const changes = entries.filter(({ details }) => details.settings === 'canary');
    expect(changes).toHaveLength(1);
  });

  it('let nobody run a canary more than ten times in ten minutes', async () => {
    clock.stop();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      statuses.push((await owner.post(`${path()}/run`)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});
