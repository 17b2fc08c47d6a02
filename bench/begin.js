/** How a bench begins: with its options, and a folder that goes with it. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Reads the options of the command line; prints the help and ends when that is asked for.
 * @param known as `parseArgs` takes them
 */
export function readOptions(help, known) {
  const options = { ...known, help: { type: 'boolean', default: false } };
  const { values } = parseArgs({ options });
  if (!values.help) return values;
  process.stdout.write(help);
  process.exit(0);
}

/** Makes a folder that goes when the run ends; a signal ends it, with all processes that it started. */
export async function temporaryFolder() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGPIPE']) process.once(signal, () => process.exit(1));
  const folder = await mkdtemp(join(tmpdir(), 'fcs-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
