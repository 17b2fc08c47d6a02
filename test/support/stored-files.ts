import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from './service.js';

/** Paths of all files that a service keeps on disk, below its folder of files, sorted. */
export async function storedNames({ config }: Service): Promise<string[]> {
  const folder = join(config.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
