import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Sizes of a file system, in bytes. */
export interface DiskSpace {
  size: number;
  /** Free for users without special rights. */
  free: number;
}

/** Returns the space at `path`, or at its nearest folder that exists. */
export async function diskSpaceAt(path: string): Promise<DiskSpace> {
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    return { size: bsize * blocks, free: bsize * bavail };
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    return diskSpaceAt(above);
  }
}
