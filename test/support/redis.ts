import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from './program.js';

const PROGRAMS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

/** Path of an installed Redis, or null. */
export const redisServer = PROGRAMS.find((path) => existsSync(path)) ?? null;

/** A Redis of a test's own, which keeps nothing. */
export async function startRedis(): Promise<{ url: string; kill: () => Promise<void> }> {
  const port = await freePort();
  const options = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(redisServer ?? '', options);
  const ended = once(child, 'exit');
  let printed = '';
  for await (const text of child.stdout) {
    printed += String(text);
    if (printed.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`Redis did not start: ${printed}`);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
