import { useService, type FormBody, type Caller } from '../support/service.js';
import {
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

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });

let bad: WebhookReceiver;
let timeMs: number;
let end: AbortSignal;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  const real = AbortSignal.timeout.bind(AbortSignal);
  timeMs = SHORT_MS;
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(CALL_TIMEOUT_MS);
    return (end = real(timeMs));
  });
  owner = await service().openAccount();
});
afterEach(() => bad.close());

/** Sends a submission to a form whose receiver behaves so, and makes the call; gives its one try. */
async function deliverTo(behaviour: Behaviour) {
  bad = await WebhookReceiver.start(behaviour);
  form = await owner.makeForm({ webhook_url: bad.url });
  const id = await service().deliver(form, { name: 'Jane' });
  const { state, attempts } = await owner.webhookCallOf(form, id);
  const [attempt] = attempts;
  if (!attempt) throw new Error('Nothing was tried.');
  return { state, attempt };
}

describe('A receiver that (W-04, W-09)', () => {
  it('answers 200 and a byte now and then has accepted, and is left when time is over', async () => {
    const { state, attempt } = await deliverTo(drips);

    expect(state).toBe('delivered');
    expect(attempt).toMatchObject({ outcome: 'accepted', code: 200 });
    expect(attempt.answer).toMatch(/^x{1,80}$/);
  });

  it('answers without end is read no further than is worth it', async () => {
    timeMs = CALL_TIMEOUT_MS;
    const { state, attempt } = await deliverTo(neverEnds);

    expect(end.aborted).toBe(false);
    expect(state).toBe('delivered');
    expect(attempt.answer).toBe('x'.repeat(1024));
  });

  it('answers what would unpack to a thousand times its size is not unpacked', async () => {
    const { state, attempt } = await deliverTo(bombs);

    expect(state).toBe('delivered');
    expect(attempt.answer?.length).toBeLessThanOrEqual(1024);
    expect(attempt.answer).not.toMatch(/^\0{100}/);
  });

  it.each<[string, Behaviour, object]>([
    ['never answers is left when time is over', hangs, { outcome: 'timed_out' }],
    ['answers ten thousand headers is cut off', babbles, { answer: 'UND_ERR_HEADERS_OVERFLOW' }],
    ['closes before it has answered is tried again', (response) => response.destroy(), {}],
    ['does not speak HTTP is tried again', (response) => response.socket?.end('220 hello\r\n'), {}],
  ])('%s', async (_, behaviour, told) => {
    const attempt = { outcome: 'unreachable', code: null, ...told };
    expect(await deliverTo(behaviour)).toMatchObject({ state: 'pending', attempt });
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
