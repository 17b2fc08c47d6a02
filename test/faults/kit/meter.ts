import { createDatabase, type TestDatabase } from '../../support/database.js';
import { linksOn } from '../../support/page-forms.js';
import { Probe } from '../../support/probe.js';
import { freePort, Program } from '../../support/program.js';
import { send, urlencoded, type Answer, type Sent } from '../../support/submit.js';
import { until } from '../../support/until.js';
import type { WorstCase } from '../../support/worst-cases.js';

/** Where other checks share the processors a process computes more slowly, and collects its garbage later. */
const BUSY = process.env.CI ? 3 : 1;
/** Longest stall that one request may cause for all others. */
const STALL_MAX_MS = 100 * BUSY;
/** Most memory that one request may add to the process. */
const GROWTH_MAX_MIB = 64 * BUSY;
/** A machine that is busy with something else is given more time, by what it needs for nothing. */
const TRIES = 3;
/** Requests that are measured together; each by itself only when they cost too much together. */
const TOGETHER = 10;
const SECRET = 'a-token-of-the-cost-tests.1';
const NO_LIMIT = '1000000';
const START_MAX_MS = 60_000;
/** Longest wait of an honest visitor while many are served. */
const HONEST_MAX_MS = 10_000;
const AT_ONCE = 60;

/** Asks for something. */
export const get = (path: string, headers: Record<string, string> = {}): WorstCase => ({
  ...{ what: '', method: 'GET', path, headers },
});

/**
 * Opens pages and all that their links lead to, a few of each kind.
 * @param kindOf is the same for paths of one kind; null for what is left out
 * @param pathOf what of a link is opened
 */
export async function* crawl(
  { url }: Meter,
  start: string[],
  headers: Record<string, string>,
  kindOf: (path: string) => string | null,
  { ofAKind = 1, pathOf = (link: string) => link } = {},
): AsyncGenerator<{ path: string; text: string }> {
  const waiting = [...start];
  const opened = new Map<string, Set<string>>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    const alike = opened.get(kind ?? '') ?? new Set();
    if (kind === null || alike.has(path) || alike.size === ofAKind) continue;
    opened.set(kind, alike.add(path));
    const { status, text } = await send(url + path, { method: 'GET', headers });
    expect({ path, isFault: status >= 500 }).toEqual({ path, isFault: false });
    waiting.push(...linksOn(text).map(pathOf));
    yield { path, text };
  }
}

/** Measures what requests cost a service that runs as its operator runs it. */
export class Meter {
  private constructor(
    private readonly database: TestDatabase,
    private readonly program: Program,
    private readonly probe: Probe,
    readonly url: string,
  ) {}

  /** Headers of who may do everything in the account. */
  readonly bearer = { Authorization: `Bearer ${SECRET}` };

  /**
   * @param server URL of a database server; empty for the embedded database, which shares the thread
   * @param settings which are not as they are by default
   */
  static async start(server = '', settings: Record<string, string> = {}): Promise<Meter> {
    const database = await createDatabase(server);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = Program.service({
      ...database.settings,
      PORT: port,
      BASE_URL: url,
      BOOTSTRAP_TOKEN: SECRET,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_ADDRESS: NO_LIMIT,
      RATE_LIMIT_FORM: NO_LIMIT,
      RATE_LIMIT_TOKEN: NO_LIMIT,
      RATE_LIMIT_SESSION: NO_LIMIT,
      RATE_LIMIT_FAILURES: NO_LIMIT,
      ...settings,
    });
    const isReady = () =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady, START_MAX_MS);
    return new Meter(database, program, new Probe(url, program.pid), url);
  }

  async stop(): Promise<void> {
    await this.probe.close();
    await this.program.kill();
    await this.database.drop();
  }

  /** Becomes the first owner. @returns the headers of a page that they sent */
  async signIn(): Promise<{ Cookie: string; 'Sec-Fetch-Site': string }> {
    const link = /\/setup#(\S+)/;
    await this.program.untilPrinted(link);
    const fields = Object.entries({
      code: link.exec(this.program.stdout)?.[1] ?? '',
      email: 'ada@example.com',
      name: 'Ada',
      password: 'purple otters juggle at noon',
    });
    const fromPage = { 'Sec-Fetch-Site': 'same-origin' };
    const answer = await send(`${this.url}/setup`, { ...urlencoded(fields), headers: fromPage });
    if (answer.status !== 303) throw new Error(`Not signed in: ${answer.status}`);
    return { Cookie: (answer.headers.get('set-cookie') ?? '').replace(/;.*/, ''), ...fromPage };
  }

  /** Calls the API as who may do everything. @throws when that is refused */
  async api(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await send(`${this.url}/api/v1/${path}`, {
      method,
      headers: this.bearer,
      ...(body && { type: 'application/json', body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text.slice(0, 2_000)}`);
    return answer;
  }

  /** @returns the identifier of a new form */
  async makeForm(form: object): Promise<string> {
    return String((await this.api('POST', 'forms', { form })).body.identifier);
  }

  /** Submits what must be taken. @returns its id */
  async submit(identifier: string, sent: Sent): Promise<string> {
    const { status, text, body } = await send(`${this.url}/f/${identifier}`, sent);
    if (status !== 200) throw new Error(`Refused with ${status}: ${text.slice(0, 2_000)}`);
    return String(body.id);
  }

  /** Fails unless an honest visitor of a form is served one time after the other while many ask at once. */
  async expectVisits(identifier: string, cases: WorstCase[]): Promise<void> {
    const form = urlencoded(Object.entries({ name: 'Jane', message: 'Hello' }));
    const sent = { ...form, headers: { 'X-Forwarded-For': '192.0.2.1' } };
    const waits: number[] = [];
    const over = new AbortController();
    const visiting = (async () => {
      while (!over.signal.aborted) {
        const begin = performance.now();
        await this.submit(identifier, sent);
        waits.push(performance.now() - begin);
      }
    })();
    visiting.catch(() => undefined); // until it is waited for
    const askAll = () => cases.map((each) => this.request(each));
    await Promise.allSettled(Array.from({ length: AT_ONCE / cases.length }, askAll).flat());
    over.abort();
    await visiting;
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThan(HONEST_MAX_MS);
  }

  /** Sends a request and reads all of its answer, unless the service hangs up first. */
  async request({ method, path, headers, body }: WorstCase): Promise<void> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: { ...this.bearer, ...headers },
      ...(body !== undefined && method !== 'GET' && { body: new Uint8Array(Buffer.from(body)) }),
    });
    const reader = response.body?.getReader();
    while (reader && !(await reader.read()).done) continue;
  }

  /** Names the requests that cost too much however often they are tried. */
  async tooExpensive(cases: Iterable<WorstCase>): Promise<string[]> {
    const found: string[] = [];
    const all = [...cases];
    while (all.length > 0) {
      const some = all.splice(0, TOGETHER);
      if ((await this.excess(this.asking(some))) === null) continue;
      for (const each of some) {
        const what = `${each.method} ${each.path.slice(0, 80)} ${each.what}`;
        found.push(...(await this.tooCostly(what, this.asking([each]))));
      }
    }
    return found;
  }

  /** Fails when one of these requests costs too much. */
  async expectCheap(cases: Iterable<WorstCase>): Promise<void> {
    expect(await this.tooExpensive(cases)).toEqual([]);
  }

  /** Names work that costs too much however often it is tried. @returns nothing when it does not */
  async tooCostly(what: string, work: () => Promise<unknown>): Promise<string[]> {
    let cost = await this.excess(work);
    for (let tries = 1; tries < TRIES && cost !== null; tries++) {
      cost = await this.excess(work, await this.rest());
    }
    return cost === null ? [] : [`${what}: ${cost}`];
  }

  /** Measures while no request runs. */
  private async rest(): Promise<number> {
    await this.probe.begin();
    for (let i = 0; i < 5; i++) await this.request(get('/health/live'));
    return (await this.probe.end()).stallMs;
  }

  private asking(cases: readonly WorstCase[]): () => Promise<void> {
    return async () => {
      for (const each of cases) await this.request(each).catch(() => undefined);
    };
  }

  /** Returns the cost of work that is too high for one request; null otherwise. */
  private async excess(work: () => Promise<unknown>, slowness = 0): Promise<string | null> {
    await this.probe.begin();
    await work();
    const { stallMs, grownMib } = await this.probe.end();
    const held = stallMs <= STALL_MAX_MS + 2 * slowness && grownMib <= GROWTH_MAX_MIB;
    return held ? null : `${Math.round(stallMs)} ms, ${Math.round(grownMib)} MiB`;
  }
}
