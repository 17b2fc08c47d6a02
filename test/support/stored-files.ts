import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A service, or what is known of one: where it keeps its files. */
interface Keeper {
  config: { dataDir: string };
}

/** Paths of all files that a service keeps on disk, below its folder of files or of exports, sorted. */
export async function storedNames({ config }: Keeper, kind: 'files' | 'exports' = 'files'): Promise<string[]> {
  const folder = join(config.dataDir, kind);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Returns the names of all files of a service on disk, kept or incoming. */
export async function storedFiles(config: Keeper['config']): Promise<string[]> {
  const paths = await storedNames({ config });
  return paths.map((path) => basename(path));
}
