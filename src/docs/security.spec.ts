import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ID = /\b(?:[ASOW]-\d{2}|API9)\b/g;
const PAGE = readFileSync(`${ROOT}docs/security.md`, 'utf8');

/** Returns the files in each row of the tables, with the ids in front of them. */
function claims(): { file: string; ids: string[] }[] {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const shownBy = row.split('|').at(-2) ?? '';
    return shownBy.split(';').flatMap((part) => {
      const ids = part.match(ID) ?? [];
      return Array.from(part.matchAll(/`([^`]+)`/g), ([, file = '']) => ({ file, ids }));
    });
  });
}

describe('The page about security', () => {
  it('names files that are there', () => {
    const named = Array.from(
      PAGE.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g),
      ([, file = '']) => file,
    );

    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(ROOT + file))).toEqual([]);
  });

  it('names checks that the named tests have in their names', () => {
    const unfounded = claims().flatMap(({ file, ids }) => {
      const names = readFileSync(ROOT + file, 'utf8');
      return ids.filter((id) => !names.includes(id)).map((id) => `${id} in ${file}`);
    });

    expect(claims().length).toBeGreaterThan(60);
    expect(unfounded).toEqual([]);
  });
});
