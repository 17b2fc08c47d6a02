import passport from 'passport';
import { DataSource } from 'typeorm';
import type { Schemas } from '../../build/api.js';
import { BearerStrategy } from '../../src/people/auth/bearer.guard.js';
import { ProbeRuns } from '../../src/health/canary/probe-runs.service.js';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { Probes } from '../../src/submissions/storage/probes.service.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';
import { CanarySite, status } from '../support/canary-site.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { run as runCommand } from '../support/command.js';
import { freePort } from '../support/program.js';
import { useService, type FormBody, type Caller, type Service } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

type StepBody = Schemas['CanaryStepDto'];

const clock = useClock();
const server = useMailServer();
const site = await new CanarySite().listen();
const [port, idlePort] = [await freePort(), await freePort()];
const at = (own: string) => ({ PORT: own, BASE_URL: `http://127.0.0.1:${own}` });
const networks = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const service = useService(() => ({ ...at(port), ...networks, SMTP_URL: server.url }));
const idle = useService(() => ({ ...at(idlePort), WORKERS: 'off', SMTP_URL: server.url }));
const lost = useService({ BASE_URL: site.origin });

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start(answers(200));
});
afterAll(async () => {
  await receiver.close();
  await site.close();
});

let owner: Caller;
let form: FormBody;
/** Lets requests be answered by one of the services of this process. */
function turnTo(each: Service): Service {
  passport.use(each.app.get(BearerStrategy));
  return each;
}

beforeEach(async () => {
  turnTo(service());
  receiver.calls.length = 0;
  owner = await service().openAccount('Ours', 'owner@example.com');
  form = await owner.makeForm({
    ...{ notify_owner_on_submission: true, notify_owner_emails: 'owner@example.com' },
    ...{ notify_submitter: true, webhook_url: receiver.url },
  });
});
afterEach(() => {
  site.pages = {};
});

/** Runs the canary of a form; returns the steps on the way of its submission. */
async function probe(caller = owner, { identifier } = form): Promise<StepBody[]> {
  const { body } = await caller.post(`/api/v1/forms/${identifier}/canary/run`).expect(200);
  return body.canary.steps.filter(({ step }) => !/page|form/.test(step));
}

const troubles = (steps: StepBody[]) =>
  steps.filter(({ state }) => state !== 'ok').map(({ step, state, code }) => `${step} ${state} ${code}`);

const NOT_REACHED = (...steps: string[]) => steps.map((step) => `${step} skipped not_reached`);

/** Counts the rows of all tables that are not about the canary itself. */
async function rowsOf({ app }: Service): Promise<Record<string, number>> {
  const source = app.get(DataSource);
  const counts: Record<string, number> = {};
  for (const { tableName } of source.entityMetadatas) {
    if (/form_canaries|audit_entries|jobs|rate_counts|signals|signing_keys|tokens/.test(tableName)) continue;
    const [row] = await source.query<{ n: number | string }[]>(`SELECT COUNT(*) AS n FROM \`${tableName}\``);
    counts[tableName] = Number(row?.n);
  }
  return counts;
}

/** Returns what visitors of a form were refused. */
async function refusalsOf({ app }: Service, caller: Caller, { identifier }: FormBody) {
  await app.get(WaitingCounts).flush();
  return (await caller.read(`/api/v1/forms/${identifier}/refusals`)).refusals;
}

async function send(header: string, fields: Record<string, string>) {
  const response = await fetch(`${service().url}/f/${form.identifier}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'x-canary': header },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, canary: response.headers.get('x-canary') };
}

const headerFor = ({ identifier } = form, id = makeUuid()) => service().app.get(Probes).headerFor(identifier, id);

describe('The test submission of a canary', () => {
  it('goes the whole way, and leaves nothing behind', async () => {
    await service().submit(form, { email: 'jane@example.com' });
    await until(() => server.mails.length === 2 && receiver.calls.length === 1);
    await service().upkeep(clock.now());
    const seen = async () => [
      ...[await rowsOf(service()), await owner.countOf(form)],
      ...[await owner.read('/api/v1/statistics'), await owner.list(form)],
    ];
    const before = await seen();

    expect(troubles(await probe())).toEqual([]);
    await service().upkeep(clock.now());

    expect(await seen()).toEqual(before);
    expect([server.mails.length, receiver.calls.length]).toEqual([2, 1]);
  });

  it('keeps the rules of the form, but for patterns', async () => {
    await owner.setFields(form, [
      { name: 'email', kind: 'email', required: true, min_length: 30 },
      { name: 'age', kind: 'number', required: true, min: 18, max: 99 },
      { name: 'site', kind: 'url' },
      { name: 'plan', kind: 'choices', required: true, choices: ['basic', 'full'] },
      { name: 'text', required: true, min_length: 40, max_length: 50 },
      { name: 'code', required: true, pattern: '[A-Z]{3}' },
    ]);
    expect(troubles(await probe())).toEqual([]);
    await owner.setFields(form, [{ name: 'email', kind: 'email', required: true, max_length: 3 }]);
    expect(troubles(await probe())).toEqual([
      ...['intake unseen rules_unmet', ...NOT_REACHED('database', 'queue', 'mail')],
    ]);
    expect(await refusalsOf(service(), owner, form)).toEqual([]);
  });

  it('is not taken by a form that is paused, and that is no failure', async () => {
    const paused = { intake: { paused: true } };
    await owner.put(`/api/v1/forms/${form.identifier}/intake`, paused).expect(200);
    expect(troubles(await probe())).toEqual([
      ...['intake skipped form_paused', ...NOT_REACHED('database', 'queue', 'mail')],
    ]);
  });

  it('names the mail server that lets nobody in, with its words', async () => {
    server.answer = () => ({ at: 'connect', code: 554, text: 'No service for you' });
    const steps = await probe();
    expect(troubles(steps)).toEqual(['mail failed mail_refused']);
    expect(steps.at(-1)?.detail).toContain('No service for you');
    await server.stop();
    try {
      expect(troubles(await probe())).toEqual(['mail failed mail_refused']);
    } finally {
      await server.start();
    }
  });

  it.each(['pending', 'delivering'] as const)(
    'is %s no longer once it was tried, however a look at it falls between the two',
    async (state) => {
      const deliveries = service().app.get(DeliveriesService);
      const spy = jest.spyOn(deliveries, 'listFor').mockImplementationOnce(async (scope, id) => {
        const found = () => deliveries.listFor(scope, id);
        await until(async () => (await found()).some(({ attempts }) => attempts.length > 0));
        const all = await found();
        return all.map((each) => ({ ...each, delivery: Object.assign(each.delivery, { state }) }));
      });
      expect(troubles(await probe())).toEqual([]);
      spy.mockRestore();
    },
  );

  it('names the queue that no worker looks at', async () => {
    idle().app.get(ProbeRuns).queueWaitMs = 200;
    const other = await turnTo(idle()).openAccount();
    const steps = await probe(other, await other.makeForm());
    expect(troubles(steps)).toEqual(['queue failed queue_waits', ...NOT_REACHED('mail')]);
    expect(steps.find(({ step }) => step === 'queue')?.detail).toContain('WORKERS');
    expect(await rowsOf(idle())).toMatchObject({ submissions: 0, deliveries: 0, attempts: 0 });
  });

  it.each([
    ['address_not_ours', status(404)],
    ['address_error', status(502)],
    ['address_redirects', status(301, { location: 'https://www.example.com/' })],
  ])('names the address that leads elsewhere: %s', async (code, answer) => {
    const other = await turnTo(lost()).openAccount();
    const lostForm = await other.makeForm();
    site.pages[`/f/${lostForm.identifier}`] = answer;
    expect(troubles(await probe(other, lostForm))).toEqual([
      `address failed ${code}`,
      ...NOT_REACHED('intake', 'database', 'queue', 'mail'),
    ]);
  });

  it('is refused where a proxy drops its header, and never becomes a submission', async () => {
    const other = await turnTo(lost()).openAccount();
    const lostForm = await other.makeForm();
    site.pages[`/f/${lostForm.identifier}`] = (response, request) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'x-canary': _, host: __, ...headers } = request.headers;
        void fetch(`${lost().url}${request.url}`, {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': headers['content-type'] ?? '' },
          body: Buffer.concat(chunks),
        }).then(async (answer) => response.writeHead(answer.status).end(await answer.text()));
      });
    };
    expect(troubles(await probe(other, lostForm))[0]).toBe('address failed header_dropped');
    expect(await other.countOf(lostForm)).toBe(0);
    expect(await refusalsOf(lost(), other, lostForm)).toEqual([]);
  });

  it('is erased later where its process was killed', async () => {
    const fields = { message: 'Left' };
    expect(await send(await headerFor(), fields)).toEqual({ status: 200, canary: 'stored' });
    expect((await rowsOf(service())).submissions).toBeGreaterThan(0);
    const before = await rowsOf(service());
    clock.forward(6 * MINUTE_MS);
    await service().upkeep(clock.now());
    expect(Number((await rowsOf(service())).submissions) - Number(before.submissions)).toBe(-1);
    expect(await owner.countOf(form)).toBe(0);
  });
});

describe('The header of a canary', () => {
  it('says nothing where it is forged, old or for another form', async () => {
    const old = await headerFor();
    clock.forward(2 * MINUTE_MS);
    const other = await headerFor(await owner.makeForm());
    for (const [at, header] of ['x', old, other].entries()) {
      const fields = { email: `jane${at}@example.com` };
      expect(await send(header, fields)).toEqual({ status: 200, canary: null });
    }
    expect(await owner.countOf(form)).toBe(3);
    await until(() => receiver.calls.length === 3);
  });

  it('is good for one submission alone', async () => {
    const header = await headerFor();
    const before = (await rowsOf(service())).submissions;
    for (let i = 0; i < 3; i++) {
      expect(await send(header, { message: 'Once' })).toMatchObject({ canary: 'stored' });
    }
    expect((await rowsOf(service())).submissions).toBe(Number(before) + 1);
    expect(await owner.countOf(form)).toBe(0);
  });
});

it('doctor --canary prints each step, and exits with 1 where one failed', async () => {
  const { config } = service();
  const settings = {
    ...{ ...at(port), ...networks, SMTP_URL: server.url, BACKUP_SCHEDULE: 'off' },
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'server' && { DATABASE_URL: process.env.FCS_URL ?? '' }),
  };
  if (config.database.kind === 'server') return;
  const doctor = async (...words: string[]) => {
    const result = await runCommand(settings, 'doctor', ...words);
    turnTo(service());
    return result;
  };
  const well = await doctor('--canary', form.identifier);
  expect(well.code).toBe(0);
  expect(well.stdout).toMatch(/mail +ok/);
  expect(well.stdout).toContain('Not seen: errors of scripts');
  server.answer = () => ({ at: 'connect', code: 554, text: 'No service for you' });
  const ill = await doctor('--canary', form.identifier, '--json');
  expect(ill.code).toBe(1);
  const steps = JSON.parse(ill.stdout) as StepBody[];
  expect(steps).toContainEqual(expect.objectContaining({ form: form.identifier, step: 'mail', state: 'failed' }));
  expect((await doctor('--canary', 'ffffffffffffffff')).code).toBe(1);
});
