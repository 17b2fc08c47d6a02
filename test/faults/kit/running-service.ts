import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from '../../support/caller.js';
import { freePort, Program } from '../../support/program.js';

const POLL_MS = 20;
const TOKEN = 'a-token-that-only-faults-use';

/** Runs the built service on a fixed port, so that it can be ended in any way and started again. */
export class RunningService {
  private program: Program | null = null;

  private constructor(
    readonly url: string,
    readonly settings: Readonly<Record<string, string>>,
    readonly dataDir: string,
  ) {}

  /** @param build the folder of another build */
  static async start(settings: Record<string, string> = {}, build?: string): Promise<RunningService> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'fcs-fault-'));
    const service = new RunningService(
      `http://127.0.0.1:${port}`,
      {
        PORT: port,
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        BOOTSTRAP_TOKEN: TOKEN,
        LOG_LEVEL: 'silent',
        MAX_CONCURRENT_PER_ADDRESS: '100000',
        RATE_LIMIT_ADDRESS: '0',
        RATE_LIMIT_FORM: '0',
        RATE_LIMIT_TOKEN: '0',
        RATE_LIMIT_SESSION: '0',
        ...settings,
      },
      folder,
    );
    await service.up(build);
    return service;
  }

  /**
   * Starts it, and waits until it is ready.
   * @param build the folder of another build
   */
  async up(build?: string): Promise<void> {
    const program = Program.service(this.settings, undefined, build);
    this.program = program;
    const ended = program.ended.then(() => {
      throw new Error(`The service ended: ${program.stderr}`);
    });
    while (!(await this.isReady())) await Promise.race([pause(POLL_MS), ended]);
    ended.catch(() => undefined); // from now on it may
  }

  /** Returns its memory in MiB. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.program?.pid ?? 'self'}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** Returns the number of files that it has open in its folder of files. */
  async openFiles(): Promise<number> {
    const descriptors = `/proc/${this.program?.pid ?? 'self'}/fd`;
    const names = await readdir(descriptors);
    const paths = names.map((name) => readlink(join(descriptors, name)).catch(() => ''));
    const own = join(this.dataDir, 'files');
    return (await Promise.all(paths)).filter((path) => path.startsWith(own)).length;
  }

  async kill(): Promise<void> {
    await this.program?.kill();
  }

  async stop(): Promise<number | null> {
    return (await this.program?.stop()) ?? null;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Returns a caller with the token of its account. */
  get owner(): Caller {
    return new Caller(this.url, TOKEN);
  }

  /** @returns the identifier of a new form */
  async makeForm(settings: object = {}): Promise<string> {
    return (await this.owner.makeForm(settings)).identifier;
  }

  /** Tells whether it answers, and its first start has opened the account. */
  private async isReady(): Promise<boolean> {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${this.url}/api/v1/me`, { headers }).catch(() => null);
    return answer?.ok ?? false;
  }
}
