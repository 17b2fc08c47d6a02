import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RIGHTS } from '../accounts/access/principal.js';
import { formSnippet } from '../forms/model/form-snippet.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: folder !== '', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

it('The page about tokens explains every right, and no other', () => {
  const explained = [...read('docs/api/tokens.md').matchAll(/^\| `([a-z]+:[a-z]+)` +\|/gm)];

  expect(explained.map(([, right]) => right).sort()).toEqual([...RIGHTS].sort());
});

it('The documents lead to files that are there', () => {
  const documents = [...markdownIn(''), ...markdownIn('docs'), ...markdownIn('bench')];
  const missing = documents.flatMap((name) =>
    Array.from(read(name).matchAll(/\]\((?!\w+:)([^)#\s]+)/g), ([, link = '']) => link)
      .filter((link) => !existsSync(join(ROOT, dirname(name), link)))
      .map((link) => `${link} in ${name}`),
  );

  expect(documents.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

it('The benches import what the build makes', () => {
  const scripts = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const imported = scripts.flatMap((name) =>
    Array.from(read(join('bench', name)).matchAll(/'(?:\.\.\/)+build\/(.+)\.js'/g), ([, path = '']) => path),
  );

  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((path) => !existsSync(join(ROOT, 'src', `${path}.ts`)))).toEqual([]);
});

const ID = /\b(?:[ASOW]-\d{2}|API9)\b/g;
const PAGE = read('docs/security.md');

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
    const named = Array.from(PAGE.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g), ([, file = '']) => file);

    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('names checks that the named tests have in their names', () => {
    const unfounded = claims().flatMap(({ file, ids }) => {
      const names = read(file);
      return ids.filter((id) => !names.includes(id)).map((id) => `${id} in ${file}`);
    });

    expect(claims().length).toBeGreaterThan(60);
    expect(unfounded).toEqual([]);
  });
});

it('The form of the README is the one that pages show', () => {
  expect(read('README.md')).toContain(
    formSnippet({ address: 'http://localhost:3000/f/e84c332cf237dffa', name: 'Contact', fields: [] }),
  );
});
