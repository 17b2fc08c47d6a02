import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';

/** Longest run of BACKUP_COMMAND, in milliseconds. */
const TIMEOUT_MS = 6 * HOUR_MS;
/** Characters of its last output that an error repeats. */
const OUTPUT_LENGTH = 500;

/** Exports the first argument as BACKUP_FILE, and runs the second. */
const SCRIPT = 'export BACKUP_FILE="$1"; eval "$2"';

/**
 * Runs BACKUP_COMMAND in the shell, with the path of a backup in the variable BACKUP_FILE.
 * @throws Error with the exit code and the end of its output, unless it exits with 0
 */
export async function runBackupCommand(
  command: string,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', file, command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    ...(signal && { signal }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on(
      'data',
      (text: Buffer) => (output = (output + text.toString()).slice(-OUTPUT_LENGTH)),
    );
  }
  const [code, killer] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return;
  const end = code === null ? `was ended by ${killer ?? 'a signal'}` : `exited with ${code}`;
  throw new Error(`BACKUP_COMMAND ${end}: ${output.trim() || 'it printed nothing'}`);
}
