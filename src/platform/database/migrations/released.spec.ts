import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url));

it('The migrations of releases are as they were; what changes comes in a new one', () => {
  const names = readdirSync(new URL('.', import.meta.url)).filter((name) => /^\d/.test(name));
  const hashes = names.map((name) => {
    const hash = createHash('sha256').update(textOf('columns.ts')).update(textOf(name));
    return [name.replace('.ts', ''), hash.digest('hex')] as const;
  });

  expect(Object.fromEntries(hashes)).toEqual(JSON.parse(textOf('released.json').toString()));
});
