import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RIGHTS } from '../access/rights.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: folder !== '', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

describe('The page about tokens', () => {
  it('explains every right, and no other', () => {
    const explained = [...read('docs/api/tokens.md').matchAll(/^\| `([a-z]+:[a-z]+)` +\|/gm)];

    expect(explained.map(([, right]) => right).sort()).toEqual([...RIGHTS].sort());
  });
});

describe('The documents', () => {
  it('lead to files that are there', () => {
    const documents = [...markdownIn(''), ...markdownIn('docs'), ...markdownIn('bench')];
    const missing = documents.flatMap((name) =>
      Array.from(read(name).matchAll(/\]\((?!\w+:)([^)#\s]+)/g), ([, link = '']) => link)
        .filter((link) => !existsSync(join(ROOT, dirname(name), link)))
        .map((link) => `${link} in ${name}`),
    );

    expect(documents.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

describe('The benches', () => {
  it('import what the build makes', () => {
    const scripts = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.js'),
    );
    const imported = scripts.flatMap((name) =>
      Array.from(
        read(join('bench', name)).matchAll(/'(?:\.\.\/)+build\/(.+)\.js'/g),
        ([, path = '']) => path,
      ),
    );

    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((path) => !existsSync(join(ROOT, 'src', `${path}.ts`)))).toEqual([]);
  });
});
