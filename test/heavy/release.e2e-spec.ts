import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOfRelease, problemsOfTests } from '../../scripts/check-release.js';
import { freePort } from '../support/program.js';
import { until } from '../support/until.js';
import { where } from '../support/where.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIB = 1024 ** 2;
/** Packages beside the program: those with native code, and what these need at run time. */
const NATIVE = ['better-sqlite3', 'bindings', 'file-uri-to-path', '@node-rs'];
const read = (name: string) => readFileSync(ROOT + name, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('The package', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fcs-release-'));
    const packed = spawnSync(process.execPath, [`${ROOT}scripts/pack.js`, folder], { encoding: 'utf8' });
    expect(packed.stderr).toBe('');
    // As npm installs it, with native packages that need no compiler here.
    const modules = join(folder, 'lib/node_modules');
    mkdirSync(modules, { recursive: true });
    spawnSync('tar', ['xzf', packed.stdout.trim(), '-C', modules]);
    cpSync(join(modules, 'package'), join(modules, 'form-collection-service'), { recursive: true });
    for (const name of NATIVE) {
      symlinkSync(`${ROOT}node_modules/${name}`, join(modules, name));
    }
    program = join(modules, 'form-collection-service/dist/cli/main.js');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('holds what runs, and nothing else', () => {
    const installed = join(folder, 'lib/node_modules/form-collection-service');
    expect(readdirSync(installed).sort()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'openapi.json',
      'package.json',
    ]);
    const described = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    expect(described).toMatchObject({ version, bin: { 'form-collection-service': 'dist/cli/main.js' } });
    expect(described).not.toHaveProperty('devDependencies');
    expect(described).not.toHaveProperty('scripts');
    expect(sizeOf(installed)).toBeLessThan(20 * MIB);
  });

  it('starts the service in an empty folder, without a command and without settings', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const env = { PATH: process.env.PATH ?? '', PORT: await freePort() };
    const child = spawn(process.execPath, [program], { cwd: empty, env });
    let stdout = '';
    const LINK = /http:\/\/localhost:\d+\/setup#\S+/;
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    await until(() => LINK.test(stdout) || child.exitCode !== null);

    const [link = ''] = LINK.exec(stdout) ?? [];
    expect((await fetch(link)).status).toBe(200);
    const live = await fetch(new URL('/health/live', link));
    expect(await live.json()).toEqual({ status: 'ok', version });
    expect((await fetch(new URL('/docs/api/tokens', link))).status).toBe(200);
    expect(readdirSync(empty)).toEqual(['data']);

    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('tells its version, and names itself in hints', () => {
    const call = (...words: string[]) =>
      spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', cwd: folder });
    expect(call('--version').stdout).toBe(`${version}\n`);
    expect(call('nothing')).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown command 'nothing'") });
  });
});

const hasDebian = ['dpkg-deb', 'dpkg-shlibdeps', 'strip'].every((name) => spawnSync(name, ['--version']).status === 0);

where(hasDebian, 'the Debian package').describe('The Debian package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fcs-debian-'));
    const made = spawnSync(process.execPath, [`${ROOT}scripts/deb.js`, folder, '--quick'], { encoding: 'utf8' });
    expect(made.stderr).toBe('');
    spawnSync('dpkg-deb', ['--extract', made.stdout.trim(), folder]);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('starts with the Node inside, by the paths that its command names', async () => {
    const command = readFileSync(join(folder, 'usr/bin/form-collection-service'), 'utf8');
    const prefix = '/usr/lib/form-collection-service';
    const [node = '', defaults = '', program = ''] = Array.from(
      command
        .replaceAll('$prefix', prefix)
        .replaceAll('$name', 'form-collection-service')
        .matchAll(/\/usr\/lib\/[^"]+\/[^"]+/g),
      ([path]) => join(folder, path),
    );
    const env = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: await freePort() };
    const child = spawn(node, [`--env-file=${defaults}`, program, 'start'], { cwd: folder, env });
    let stdout = '';
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    await until(() => stdout.includes('/setup#') || child.exitCode !== null);

    const live = await fetch(`http://127.0.0.1:${env.PORT}/health/live`);
    expect(await live.json()).toEqual({ status: 'ok', version });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

const UNRELEASED = '## [Unreleased]\n\n## [';

describe('A release', () => {
  it('agrees in all its parts but what came after the last', () => {
    expect(problemsOfRelease(read, true)).toEqual([]);
  });

  it.each([
    ['CHANGELOG.md', '## [', UNRELEASED],
    ['CHANGELOG.md', /^(## \[[\d.]+\]) - .*$/m, '$1'],
    ['package-lock.json', `"version": "${version}"`, '"version": "0.0.1"'],
    ['packages/client/package.json', `"version": "${version}"`, '"version": "0.0.1"'],
    ['Dockerfile', `version="${version}"`, 'version="0.0.1"'],
    ['deploy/compose/compose.yml', `:${version}}`, ':0.0.1}'],
    ['docs/install.md', `_${version}_`, '_0.0.1_'],
    ['src/platform/database/migrations/released.json', `"${version}"`, '"0.0.1"'],
    ['src/platform/database/migrations/columns.ts', 'export', 'export '],
    ['LICENSE', 'MIT License', 'License'],
    ['dist/licenses.txt', '(MIT)', '(AGPL-3.0)'],
  ])('is refused when %s has something else than %s', (name, what, other) => {
    const problems = problemsOfRelease((file: string) => {
      const text = read(file);
      return file === name ? text.replace(what, other) : text;
    }, other !== UNRELEASED);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain(name.replace(/columns\.ts$/, ''));
  });

  it('is refused without all tests, and with one that passed only when run alone', () => {
    const run = { mode: 'all', hasPassed: true, alone: [] };
    expect(problemsOfTests(run)).toEqual([]);
    for (const wrong of [{ mode: 'gate' }, { hasPassed: false }, { alone: ['forms'] }])
      expect(problemsOfTests({ ...run, ...wrong })).toHaveLength(1);
    expect(problemsOfTests({ alone: [] })).toHaveLength(1);
  });
});

function sizeOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
