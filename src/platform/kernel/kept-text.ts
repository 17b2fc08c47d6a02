import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the random text that a file keeps, and makes both where there is none; of two that do so at once, both get the
 * first.
 * @param bytes of randomness
 */
export async function keptText(path: string, bytes: number) {
  const found = await read(path);
  if (found !== null) return found;
  await mkdir(dirname(path), { recursive: true });
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(made, 'wx', 0o600);
    await file.writeFile(`${randomBytes(bytes).toString('base64url')}\n`);
    await file.sync();
    await file.close();
    await link(made, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(made, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}

async function read(path: string) {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
