import { readFileSync } from 'node:fs';
import type { DestinationKind } from './kind.js';
import { KINDS } from './kinds.js';

const page = readFileSync(new URL('../../../docs/destinations.md', import.meta.url), 'utf8');
const yesOrNo = (flag: boolean | undefined) => (flag ? 'yes' : 'no');

it('The page about destinations lists every setting of every kind, and no other', () => {
  const rows = page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (yes|no) +\| (yes|no) +\|/gm);
  const kinds: [string, DestinationKind][] = Object.entries(KINDS);
  const settings = kinds.flatMap(([kind, { settings: all }]) =>
    Object.entries(all)
      .filter(([, { isOurs }]) => !isOurs)
      .map(([name, { isRequired, isSecret }]) => [kind, name, yesOrNo(isRequired), yesOrNo(isSecret)].join(' ')),
  );
  const listed = Array.from(rows, ([, ...cells]) => cells.join(' '));

  expect(listed.sort()).toEqual(settings.sort());
});
