import { execFileSync } from 'node:child_process';
import type { Caller } from './service.js';
import { textOf } from './page.js';

/** Returns the command that a page gives to be copied; undefined when there is none. */
export function curlOn(page: string): string | undefined {
  return textOf(page, 'code').find((text) => text.startsWith("curl 'http"));
}

/** Runs such a command as a shell reads it, with a token that the caller has; returns the body of the answer. */
export async function runCurl(caller: Caller, command = ''): Promise<unknown> {
  const shell = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  const env = { PATH: process.env.PATH, TOKEN: 'fcs_x' };
  const words = execFileSync('sh', ['-c', shell], { env, encoding: 'utf8' }).trim().split('\n');
  const [url = '', option, header] = words;
  if (words.length !== 3 || option !== '--header' || header !== 'Authorization: Bearer fcs_x') {
    throw new Error(`It is another command: ${command}`);
  }
  const { pathname, search } = new URL(url);
  return await caller.read(pathname + search);
}
