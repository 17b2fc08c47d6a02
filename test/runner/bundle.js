import { rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import buildWhenChanged from '../../scripts/build-when-changed.js';
import { writeApiTypes } from './api-types.js';
import { buildClient } from './client.js';
import { testFiles } from './files.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SRC = join(ROOT, 'src/');

/** Returns the module that a file of tests becomes. */
export function bundleOf(path) {
  return join(ROOT, 'build/tests', relative(ROOT, path).replace(/\.tsx?$/, '.js'));
}

/**
 * Makes one module of each file of tests and what it uses of `test`, so that each has its own state. The service itself is
 * what the build made of it, and stays outside, as packages do: a process loads them once for all tests it runs.
 */
const plugin = {
  name: 'tests',
  resolveId(source, importer) {
    if (!importer) return null;
    if (!source.startsWith('.')) return { id: source, external: true };
    const path = resolve(dirname(importer), source);
    const isService = path.startsWith(SRC) && !path.endsWith('.spec.js');
    if (!isService && !path.startsWith(join(ROOT, 'scripts/'))) return null;
    return { id: isService ? path.replace(SRC, join(ROOT, 'build/')) : path, external: true };
  },
  transform: {
    filter: { id: /\.[jt]sx?$/, code: 'import.meta.' },
    handler: (code, id) => ({
      code: code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
};

/** Bundles each file of tests. */
async function bundle(paths) {
  await build(
    paths.map((path) => ({
      cwd: ROOT,
      input: path,
      platform: 'node',
      plugins: [plugin],
      makeAbsoluteExternalsRelative: false,
      output: { file: bundleOf(path), format: 'esm', keepNames: true, sourcemap: true, codeSplitting: false },
    })),
  );
}

/** Prepares a run of Jest: what is tested, and the tests. `run.js` does it once for all of its runs. */
export default async function prepare() {
  if (process.env.TEST_PREPARED) return;
  buildWhenChanged();
  writeApiTypes();
  buildClient();
  rmSync(join(ROOT, 'build/tests'), { recursive: true, force: true });
  await bundle(testFiles(ROOT).map((path) => join(ROOT, path)));
}
