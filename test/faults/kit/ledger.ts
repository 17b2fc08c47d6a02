import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_PAUSE_MS = 20;
const PACE_MS = 5;
/** A pace that is not kept up by the answers must not take every socket there is. */
const UNDER_WAY_MAX = 2_000;

interface Answer {
  status: number;
  body: string;
}

/** Sends numbered submissions, each once, and keeps a ledger of those that were acknowledged. */
export class Ledger {
  /** Ids by the number that was sent. */
  readonly acknowledged = new Map<number, string>();
  /** How long each acknowledged one took, in milliseconds. */
  readonly times: number[] = [];
  /** The longest that any request took to be answered, in milliseconds. */
  longest = 0;
  /** Requests that were answered with a failure. */
  refused = 0;
  /** Requests whose connection ended without an answer. */
  unanswered = 0;
  private sent = 0;
  private stopped = false;
  private clients: Promise<void>[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  /** @param urls where the form is submitted, in turn; when one fails, the next is tried with the same key */
  constructor(
    private readonly urls: readonly string[],
    /** More fields of each submission. */
    private readonly more: Record<string, string> = {},
  ) {}

  /** Keeps as many requests under way until `stop`. */
  start(clients: number): void {
    this.stopped = false;
    const client = async () => {
      while (!this.stopped) await this.submit();
    };
    this.clients = Array.from({ length: clients }, client);
  }

  /** Keeps as many requests under way until this many have been acknowledged, and answered. */
  async take(clients: number, wanted: number): Promise<void> {
    this.start(clients);
    await this.untilAcknowledged(wanted);
    await this.stop();
  }

  /** Sends this many a second, or as many as it can, whatever becomes of them, until `stop`. */
  startPace(perSecond: number): void {
    const begin = performance.now();
    const sending = new Set<Promise<void>>();
    const pacer = async () => {
      let sent = 0;
      while (!this.stopped) {
        for (; sent < ((performance.now() - begin) / 1_000) * perSecond; sent++) {
          if (sending.size === UNDER_WAY_MAX) continue;
          const one: Promise<void> = this.submit().finally(() => sending.delete(one));
          sending.add(one);
        }
        await pause(PACE_MS);
      }
      await Promise.all(sending);
    };
    this.clients = [pacer()];
  }

  /** Waits for the answers that are outstanding. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  /** Sends one submission; a failure is tried once more where there is a second address. */
  async submit(): Promise<void> {
    const number = ++this.sent;
    for (let attempt = 0; attempt < this.urls.length; attempt++) {
      const url = this.urls[(number + attempt) % this.urls.length] ?? '';
      const isLast = attempt === this.urls.length - 1;
      const start = performance.now();
      try {
        const { status, body } = await this.post(url, number);
        const took = performance.now() - start;
        this.longest = Math.max(this.longest, took);
        if (status === 200) {
          this.acknowledged.set(number, (JSON.parse(body) as { id: string }).id);
          this.times.push(took);
          return;
        }
        if (isLast) this.refused++;
      } catch (error) {
        if (!isLast) continue;
        if ((error as { code?: string }).code !== 'ECONNREFUSED') this.unanswered++;
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /** Resolves when this many more than now have been acknowledged. */
  untilAcknowledged(more = 1): Promise<void> {
    const wanted = this.acknowledged.size + more;
    return this.until(() => this.acknowledged.size >= wanted);
  }

  /** Resolves when this many have been refused. */
  untilRefused(wanted: number): Promise<void> {
    return this.until(() => this.refused >= wanted);
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.stopped) await pause(RETRY_PAUSE_MS);
  }

  private post(url: string, number: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        {
          method: 'POST',
          agent: this.agent,
          headers: {
            'Content-Type': 'application/json',
            ...(this.urls.length > 1 && { 'Idempotency-Key': `${number}` }),
          },
        },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (text: string) => (body += text));
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, body });
          });
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(JSON.stringify({ number, ...this.more }));
    });
  }
}
