import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.js';

/** The files a service has on disk, received or on their way, without the folders they lie in. */
export async function storedFiles({ dataDir }: Pick<Config, 'dataDir'>): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
