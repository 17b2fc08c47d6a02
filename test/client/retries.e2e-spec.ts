import { createClient } from 'form-collection-client';

const PATH = '/api/v1/forms';

/** Calls by a client whose answers come from a list, and lets time pass. @returns the outcome and when each try was */
async function call(method: 'GET' | 'POST', answers: (Response | Error)[], signal?: AbortSignal) {
  const begun = Date.now();
  const tries: number[] = [];
  const bodies: string[] = [];
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    token: 'x',
    fetch: async (request) => {
      tries.push(Date.now() - begun);
      bodies.push(await request.text());
      const answer = answers.shift() ?? Response.json({});
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const under =
    method === 'GET' ? client.GET(PATH, { signal }) : client.POST(PATH, { signal, body: { form: { name: 'A' } } });
  const outcome = under.then(
    ({ response }) => response.status,
    (error: unknown) => (error as Error).message,
  );
  await jest.runAllTimersAsync();
  return { outcome: await outcome, tries, bodies };
}

const busy = (status: number, after?: string) =>
  new Response(null, { status, headers: after === undefined ? {} : { 'Retry-After': after } });
const lost = () => new TypeError('fetch failed');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('A client', () => {
  it.each(['GET', 'POST'] as const)('sends a %s again when Retry-After says so', async (method) => {
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 20_000);
    const { outcome, tries, bodies } = await call(method, [busy(429, '7'), busy(503, date.toUTCString())]);
    expect(outcome).toBe(200);
    expect(tries.slice(0, 2)).toEqual([0, 7_000]);
    expect(tries[2]).toBeGreaterThanOrEqual(20_000);
    expect(new Set(bodies)).toEqual(new Set([method === 'GET' ? '' : '{"form":{"name":"A"}}']));
  });

  it('waits ever longer for a GET that nothing answers, three times', async () => {
    const { outcome, tries } = await call('GET', [lost(), busy(503), lost(), lost()]);
    expect(outcome).toBe('fetch failed');
    expect(tries).toEqual([0, 500, 1_500, 3_500]);
  });

  it.each([
    ['a POST without an answer, which may have arrived', 'POST', lost(), 'fetch failed'],
    ['a POST that is not told when', 'POST', busy(503), 503],
    ['what is to wait for longer than a minute', 'GET', busy(429, '61'), 429],
    ['what was refused', 'GET', busy(500), 500],
  ] as const)('does not send again %s', async (_, method, answer, expected) => {
    expect(await call(method, [answer])).toMatchObject({ outcome: expected, tries: [0] });
  });

  it('stops waiting when its call is aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort(new Error('Enough'));
    }, 1_000);
    expect(await call('GET', [busy(429, '7')], controller.signal)).toMatchObject({ outcome: 'Enough', tries: [0] });
  });
});
