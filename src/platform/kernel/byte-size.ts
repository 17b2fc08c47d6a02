import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const UNITS = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

/**
 * Formats a number of bytes for people: `10485760` is `10 MiB`.
 * @returns at most one digit after the point, and single bytes below 1 KiB
 */
export function byteSize(bytes: number) {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Number((bytes / size).toFixed(1))} ${unit}`;
}

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
