import { createDatabase, type TestDatabase } from '../../support/database.js';
import { Probe } from '../../support/probe.js';
import { freePort, Program } from '../../support/program.js';
import { send, urlencoded } from '../../support/submit.js';
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

/** Experience of an honest visitor. */
export interface Visit {
  /** Statuses of what was not taken. */
  refused: number[];
  longestMs: number;
  count: number;
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

  /** Submits as an honest visitor from elsewhere, one after the other, until they leave. */
  visit(identifier: string): { leave: () => Promise<Visit> } {
    const stopped = new AbortController();
    const visit: Visit = { refused: [], longestMs: 0, count: 0 };
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const visiting = (async () => {
      while (!stopped.signal.aborted) {
        const begin = performance.now();
        const sent = urlencoded([
          ['name', 'Jane'],
          ['message', 'Hello'],
        ]);
        const { status } = await send(`${this.url}/f/${identifier}`, { ...sent, headers });
        visit.longestMs = Math.max(visit.longestMs, performance.now() - begin);
        visit.count++;
        if (status !== 200) visit.refused.push(status);
      }
    })();
    return {
      leave: async () => {
        stopped.abort();
        await visiting;
        return visit;
      },
    };
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

  /** Names work that costs too much however often it is tried. @returns nothing when it does not */
  async tooCostly(what: string, work: () => Promise<void>): Promise<string[]> {
    let cost = await this.excess(work);
    for (let tries = 1; tries < TRIES && cost !== null; tries++) {
      cost = await this.excess(work, await this.rest());
    }
    return cost === null ? [] : [`${what}: ${cost}`];
  }

  /** Measures while no request runs. */
  private async rest(): Promise<number> {
    await this.probe.begin();
    const live = { what: '', method: 'GET', path: '/health/live' };
    for (let i = 0; i < 5; i++) await this.request(live);
    return (await this.probe.end()).stallMs;
  }

  private asking(cases: readonly WorstCase[]): () => Promise<void> {
    return async () => {
      for (const each of cases) await this.request(each).catch(() => undefined);
    };
  }

  /** Returns the cost of work that is too high for one request; null otherwise. */
  private async excess(work: () => Promise<void>, slowness = 0): Promise<string | null> {
    await this.probe.begin();
    await work();
    const { stallMs, grownMib } = await this.probe.end();
    const held = stallMs <= STALL_MAX_MS + 2 * slowness && grownMib <= GROWTH_MAX_MIB;
    return held ? null : `${Math.round(stallMs)} ms, ${Math.round(grownMib)} MiB`;
  }
}
