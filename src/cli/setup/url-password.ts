import type { Terminal } from './terminal.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/** Returns the address of a server with the password hidden. */
export function withoutPassword(url: string): string {
  return url.replace(/^([^:]*:\/\/[^:@/]*):[^@]*@/, '$1:…@');
}

/** Asks for the address of a server, and for the password apart if it names only a user. */
export async function askServer(
  terminal: Terminal,
  question: string,
  none: string,
  present: string | undefined,
): Promise<string | null | undefined> {
  const proposal = present === undefined ? none : withoutPassword(present);
  const answer = await terminal.ask(question, proposal);
  if (answer === none) return null;
  if (answer === proposal) return undefined;
  const url = parseUrl(answer);
  if (!url) return answer;
  if (url.username === '' || url.password !== '') return answer;
  const password = await terminal.askSecretly(
    `Password of ${decodeURIComponent(url.username)}, which is not shown`,
  );
  url.password = encodeURIComponent(password);
  return url.href;
}
