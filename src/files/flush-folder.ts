import { open } from 'node:fs/promises';

/** Flushes a folder, so that the names in it survive a power failure. @throws the error of the disk */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
