import { open, type FileHandle } from 'node:fs/promises';

/** Opens a file; null when it is gone. @throws the error of the disk */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
