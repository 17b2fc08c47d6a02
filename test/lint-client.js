import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * Packs packages/client as npm would publish it, and holds it against the rules of publint and of Are the types wrong?
 * A suggestion fails too.
 */
const CLIENT = fileURLToPath(new URL('../packages/client/', import.meta.url));
/** Ways to resolve that a package of modules alone does without, as in the profile `esm-only` of attw. */
const LEFT_OUT = ['node10', 'node16-cjs'];
const folder = mkdtempSync(join(tmpdir(), 'fcs-client-'));
try {
  const { stdout } = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: CLIENT,
    encoding: 'utf8',
  });
  const tarball = readFileSync(join(folder, stdout.trim()));
  const { messages, pkg } = await publint({ pack: { tarball: Uint8Array.from(tarball).buffer } });
  const { problems } = await checkPackage(createPackageFromTarballData(Uint8Array.from(tarball)));
  const found = [
    ...messages.map((message) => formatMessage(message, pkg)),
    ...problems.filter(({ resolutionKind }) => !LEFT_OUT.includes(resolutionKind)).map((each) => JSON.stringify(each)),
  ];
  for (const problem of found) console.log(`packages/client: ${problem}`);
  process.exitCode = found.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
