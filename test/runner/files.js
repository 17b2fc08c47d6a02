import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const TEST = /\.(?:spec|e2e-spec|fault-spec)\.tsx?$/;

/** Returns the path of each file of tests, from the root of the repository. */
export function testFiles(root) {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => TEST.test(name))
      .map((name) => `${folder}/${name}`)
      .sort(),
  );
}

/** Returns the files in folders, or of the name, that a word is; if there are none, those whose path has it. */
export function filesAbout(words, all) {
  if (words.length === 0) return all;
  const found = words.flatMap((word) => {
    const named = all.filter((path) => path.split(/[/.]/).includes(word));
    return named.length > 0 ? named : all.filter((path) => path.includes(word));
  });
  return [...new Set(found)];
}
