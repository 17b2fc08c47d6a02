import { Command } from 'commander';
import { BouncesService } from '../bounces/bounces.service.js';
import { readDsn } from '../bounces/reading/dsn.js';
import { MESSAGE_MAX_BYTES } from '../bounces/reading/mail-parts.js';
import { TryLater } from './kit/cli.errors.js';
import { withApp } from './kit/with-app.js';

/** Returns the command `bounce`. */
export function bounceCommand(): Command {
  return new Command('bounce')
    .description(
      'Read an email from standard input and record it if it is a bounce. Exits with 75 if that must be tried again.',
    )
    .action(async () => {
      const bounces = readDsn(await readMessage());
      if (bounces.length === 0) return;
      try {
        await withApp((app) => app.get(BouncesService).take(bounces));
      } catch (error) {
        throw new TryLater(error instanceof Error ? error.message : String(error));
      }
    });
}

/** Reads standard input to its end, since a mail server takes a closed pipe for a failure, and keeps its beginning. */
async function readMessage(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    if (bytes < MESSAGE_MAX_BYTES) parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts).subarray(0, MESSAGE_MAX_BYTES);
}
