import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** How often the service is asked whether it lives. */
const INTERVAL_MS = 10;
const MIB = 1024 * 1024;

/** The other thread: this one is busy with what it sends. */
const ASKING = `
const { parentPort, workerData } = require('node:worker_threads');
const { Agent, get } = require('node:http');
const agent = new Agent({ keepAlive: true });
let longest = 0;
let begin = null;
let onEnd = [];
function ask() {
  begin = performance.now();
  const end = () => {
    longest = Math.max(longest, performance.now() - begin);
    begin = null;
    for (const tell of onEnd.splice(0)) tell();
    setTimeout(ask, ${INTERVAL_MS});
  };
  get(workerData, { agent }, (response) => response.resume().on('end', end)).on('error', end);
}
ask();
parentPort.on('message', () => {
  const tell = () => {
    parentPort.postMessage(longest);
    longest = 0;
  };
  // Twice: what is under way may have been answered before the stall.
  onEnd.push(() => onEnd.push(tell));
});
`;

/** Watches how long a process keeps everybody waiting, and how much its memory grows. */
export class Probe {
  private readonly worker: Worker;
  private resident = 0;

  /** @param url of the service, @param pid of its process */
  constructor(
    url: string,
    private readonly pid: number,
  ) {
    this.worker = new Worker(ASKING, { eval: true, workerData: `${url}/health/live` });
  }

  /** Forgets what was measured before. */
  async begin(): Promise<void> {
    await this.longest();
    this.resident = this.memory('VmRSS');
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5'); // the peak is measured from here
  }

  /** The longest answer since the beginning in milliseconds, and the growth of memory in MiB. */
  async end(): Promise<{ stallMs: number; grownMib: number }> {
    const stallMs = await this.longest();
    return { stallMs, grownMib: (this.memory('VmHWM') - this.resident) / MIB };
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private longest(): Promise<number> {
    return new Promise((resolve) => {
      this.worker.once('message', resolve);
      this.worker.postMessage('tell');
    });
  }

  /** In bytes. */
  private memory(name: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'latin1');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  }
}
