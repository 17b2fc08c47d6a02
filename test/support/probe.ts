import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** How often the service is asked whether it lives. */
const INTERVAL_MS = 10;
const MIB = 1024 * 1024;
/** Unit of the times in `/proc/PID/stat` (`sysconf(_SC_CLK_TCK)`, 100 on every Linux). */
const TICK_MS = 10;

/** The other thread: this one is busy with what it sends. */
const ASKING = `
const { parentPort, workerData } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const { Agent, get } = require('node:http');
const agent = new Agent({ keepAlive: true });
let longest = 0;
let begin = null;
let onEnd = [];
// How long, in milliseconds, the service and this thread could run and got no processor.
const waited = (path) => Number(readFileSync(path, 'latin1').split(' ')[1]) / 1_000_000;
const waits = () => waited('/proc/' + workerData.pid + '/schedstat') + waited('/proc/thread-self/schedstat');
function ask() {
  begin = performance.now();
  const before = waits();
  const end = () => {
    longest = Math.max(longest, performance.now() - begin - (waits() - before));
    begin = null;
    for (const tell of onEnd.splice(0)) tell();
    setTimeout(ask, ${INTERVAL_MS});
  };
  get(workerData.url, { agent }, (response) => response.resume().on('end', end)).on('error', end);
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
  private processor = 0;

  /** @param url of the service, @param pid of its process */
  constructor(
    url: string,
    private readonly pid: number,
  ) {
    this.worker = new Worker(ASKING, { eval: true, workerData: { url: `${url}/health/live`, pid } });
  }

  /** Forgets what was measured before. */
  async begin(): Promise<void> {
    await this.longest();
    this.resident = this.memory('VmRSS');
    this.processor = this.processorMs();
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5'); // the peak is measured from here
  }

  /**
   * Returns the longest answer since the beginning in milliseconds, without the time in which others had the
   * processors, and the growth of memory in MiB. A process cannot keep others waiting for longer than it
   * computes.
   */
  async end(): Promise<{ stallMs: number; grownMib: number }> {
    const longest = await this.longest();
    const stallMs = Math.min(longest, this.processorMs() - this.processor + TICK_MS);
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

  /** Returns the processor time the process has used so far, in milliseconds. */
  private processorMs(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** Returns a figure of the process's memory, in bytes. */
  private memory(name: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'latin1');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  }
}
