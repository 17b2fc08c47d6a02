import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** The last migration of each release, and the SHA-256 of all files up to it with what they share. */
const RELEASES = [
  ['0.1.0', '1766420000000', '7db489303d39e032b1c4578740efc886e8e2a579b586fc3c104793f3b635bc0b'],
] as const;

const FOLDER = new URL('.', import.meta.url);
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
