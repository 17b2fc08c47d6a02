import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('.', import.meta.url);
/** Releases, each with its last migration and the SHA-256 of all files up to it with what they share. */
const RELEASES = JSON.parse(readFileSync(new URL('released.json', FOLDER), 'utf8')) as [
  string,
  string,
  string,
][];
const isMigration = (name: string) => /^\d{13}-.+\.ts$/.test(name);

describe('The migrations of a release', () => {
  it.each(RELEASES)('%s are as they were; what changes comes in a new one', (_, last, digest) => {
    const released = readdirSync(FOLDER)
      .filter((name) => isMigration(name) && name.slice(0, 13) <= last)
      .sort();
    const hash = createHash('sha256');
    for (const name of [...released, 'columns.ts'])
      hash.update(readFileSync(new URL(name, FOLDER)));

    expect(hash.digest('hex')).toBe(digest);
  });
});
