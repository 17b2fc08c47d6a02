import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { sendDue, webhookCallOf } from '../support/deliveries.js';
import { makeForm, type FormBody } from '../support/make.js';
import { useService, type Caller } from '../support/service.js';
import { submit } from '../support/submissions.js';
import {
  answers,
  babbles,
  bombs,
  drips,
  hangs,
  neverEnds,
  WebhookReceiver,
  type Behaviour,
} from '../support/webhook-receiver.js';

const CALL_TIMEOUT_MS = 15_000;
/** Shortened time of a call. */
const SHORT_MS = 2_000;
const MEGABYTE = 1 << 20;

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });

let good: WebhookReceiver;
let bad: WebhookReceiver;
let owner: Caller;
let form: FormBody;
beforeAll(async () => {
  good = await WebhookReceiver.start(answers(200, 'thanks'));
});
afterAll(async () => {
  await good.close();
});
beforeEach(async () => {
  const real = AbortSignal.timeout.bind(AbortSignal);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(CALL_TIMEOUT_MS);
    return real(SHORT_MS);
  });
  owner = await service().openAccount();
});
afterEach(async () => {
  await bad.close();
  jest.restoreAllMocks();
});

/** Sends a submission to a form whose receiver behaves so, and makes the call; gives its one try. */
async function deliverTo(behaviour: Behaviour) {
  bad = await WebhookReceiver.start(behaviour);
  form = await makeForm(owner, { webhook_url: bad.url });
  const id = await submit(service(), form, { name: 'Jane' });
  await sendDue(service());
  const { state, attempts } = await webhookCallOf(owner, form, id);
  const [attempt] = attempts;
  if (!attempt) throw new Error('Nothing was tried.');
  return { state, attempt };
}

describe('A receiver that (W-04, W-09)', () => {
  it('never answers is left when the time of a call is over', async () => {
    const { state, attempt } = await deliverTo(hangs);

    expect(state).toBe('pending');
    expect(attempt).toMatchObject({ outcome: 'timed_out', code: null });
    expect(attempt.duration_ms).toBeGreaterThan(SHORT_MS / 2);
    expect(attempt.duration_ms).toBeLessThan(3 * SHORT_MS);
  });

  it('answers 200 and a byte now and then has accepted, and is left when time is over', async () => {
    const { state, attempt } = await deliverTo(drips);

    expect(state).toBe('delivered');
    expect(attempt).toMatchObject({ outcome: 'accepted', code: 200 });
    expect(attempt.answer).toMatch(/^x{1,80}$/);
    expect(attempt.duration_ms).toBeLessThan(3 * SHORT_MS);
  });

  it('answers without end is read no further than is worth it', async () => {
    const { state, attempt } = await deliverTo(neverEnds);

    expect(state).toBe('delivered');
    expect(attempt.answer).toBe('x'.repeat(1024));
    expect(attempt.duration_ms).toBeLessThan(SHORT_MS);
  });

  it('answers what would unpack to a thousand times its size is not unpacked', async () => {
    const { state, attempt } = await deliverTo(bombs);

    expect(state).toBe('delivered');
    expect(attempt.answer?.length).toBeLessThanOrEqual(1024);
    expect(attempt.answer).not.toMatch(/^\0{100}/);
  });

  it('answers ten thousand headers is cut off', async () => {
    const { state, attempt } = await deliverTo(babbles);

    expect(state).toBe('pending');
    expect(attempt).toMatchObject({
      outcome: 'unreachable',
      code: null,
      answer: 'UND_ERR_HEADERS_OVERFLOW',
    });
    expect(attempt.duration_ms).toBeLessThan(SHORT_MS);
  });

  it('closes before it has answered is tried again', async () => {
    const { state, attempt } = await deliverTo((response) => response.destroy());

    expect(state).toBe('pending');
    expect(attempt).toMatchObject({ outcome: 'unreachable', code: null });
  });

  it('does not speak HTTP is tried again', async () => {
    const { state, attempt } = await deliverTo((response) => response.socket?.end('220 hello\r\n'));

    expect(state).toBe('pending');
    expect(attempt).toMatchObject({ outcome: 'unreachable', code: null });
  });

  it('sends NULs, broken characters and half an emoji is quoted all the same', async () => {
    const body = Buffer.concat([Buffer.from('\0 é '), Buffer.from([0xff, 0xfe, 0xf0, 0x9f])]);
    const { state, attempt } = await deliverTo((response) =>
      response.writeHead(400).end(Buffer.concat([body, Buffer.from('😀'.repeat(600))])),
    );

    expect(state).toBe('pending');
    expect(attempt.code).toBe(400);
    expect(attempt.answer).toContain(' é ');
  });
});

describe('Beside receivers that behave badly', () => {
  it('the others get theirs at once, and the memory stays flat', async () => {
    const forms = await Promise.all(
      [neverEnds, bombs, babbles, drips, hangs].map(async (behaviour) => {
        const receiver = await WebhookReceiver.start(behaviour);
        return { receiver, form: await makeForm(owner, { webhook_url: receiver.url }) };
      }),
    );
    bad = await WebhookReceiver.start();
    const fine = await makeForm(owner, { webhook_url: good.url });
    for (const { form: evil } of forms) {
      for (let i = 0; i < 4; i++) await submit(service(), evil, { i: String(i) });
    }
    const id = await submit(service(), fine, { name: 'Jane' });
    const begin = performance.now();
    const before = process.memoryUsage().rss;
    await sendDue(service());
    const grown = process.memoryUsage().rss - before;
    for (const { receiver } of forms) await receiver.close();

    expect(await webhookCallOf(owner, fine, id)).toMatchObject({ state: 'delivered' });
    expect(good.last.at - begin).toBeLessThan(SHORT_MS);
    expect(grown).toBeLessThan(200 * MEGABYTE);
  });
});
