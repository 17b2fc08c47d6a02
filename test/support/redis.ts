import { it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from './program.js';

const PROGRAMS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

/** Path of an installed Redis, or null. */
const redisServer = PROGRAMS.find((path) => existsSync(path)) ?? null;

/** A test that needs a Redis; left out, and said so, where none is installed. */
export const withRedis = redisServer ? it : it.skip;
if (!redisServer) {
  process.stdout.write('The Redis tests are left out: install Redis to run them.\n');
}

/**
 * A Redis of a test's own, which keeps nothing.
 * @param password what it asks for; nothing when left out
 */
export async function startRedis(
  password = '',
): Promise<{ url: string; kill: () => Promise<void> }> {
  const port = await freePort();
  const options = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--requirepass',
    password,
  ];
  const child = spawn(redisServer ?? '', options);
  const ended = once(child, 'exit');
  let printed = '';
  for await (const text of child.stdout) {
    printed += String(text);
    if (printed.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`Redis did not start: ${printed}`);
  return {
    url: `redis://${password && `:${password}@`}127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
