import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort as findPort } from './private-server.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Runs the built program as its operator does: a process with settings, in a folder without a `.env`. */
export class Program {
  stdout = '';
  stderr = '';
  /** The exit code, once it has ended and all its output is here. */
  readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (text: Buffer) => (this.stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Starts the service, in a folder of its own if one is given; or another build of it. */
  static service(settings: Record<string, string>, folder = DIST, build = DIST): Program {
    return Program.run(join(build, 'main.js'), [], settings, folder);
  }

  /** Starts a command of the operator's command line. */
  static cli(settings: Record<string, string>, ...words: string[]): Program {
    return Program.run(join(DIST, 'cli/main.js'), words, settings);
  }

  /** Starts a command at a terminal, which `script` of util-linux makes, in a folder. */
  static atTerminal(settings: Record<string, string>, folder: string, ...words: string[]): Program {
    const command = [process.execPath, `${DIST}cli/main.js`, ...words].join(' ');
    return Program.spawn('script', ['-qec', command, '/dev/null'], settings, folder);
  }

  /** Types at its terminal. */
  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  /** Resolves when the output on stdout matches; rejects when the program ends before. */
  async untilPrinted(pattern: RegExp): Promise<void> {
    const printed = new Promise<void>((resolve) => {
      const look = () => {
        if (pattern.test(this.stdout)) resolve();
      };
      this.child.stdout.on('data', look);
      look();
    });
    const tooEarly = this.ended.then((code) => {
      throw new Error(`The program ended with ${code}: ${this.stderr}${this.stdout}`);
    });
    await Promise.race([printed, tooEarly]);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Asks it to stop, as `docker stop` does. */
  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  /** Ends it whatever it does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private static run(file: string, words: string[], settings: Record<string, string>, cwd = DIST): Program {
    return Program.spawn(process.execPath, [file, ...words], settings, cwd);
  }

  private static spawn(file: string, words: string[], settings: Record<string, string>, cwd: string): Program {
    const { PATH = '' } = process.env;
    return new Program(spawn(file, words, { cwd, env: { PATH, ...settings } }));
  }
}

/** Returns a free port, as a setting. */
export async function freePort(): Promise<string> {
  return String(await findPort());
}
