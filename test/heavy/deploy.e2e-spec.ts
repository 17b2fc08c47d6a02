import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { Config } from '../../src/platform/config/config.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIB = 1024 * 1024;
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

/** The parts of the files that tests look at. */
interface ComposeFile {
  services: Record<string, { environment?: Record<string, unknown> }>;
}
interface Deployment {
  spec: { template: { spec: { containers: { env: { name: string }[] }[] } } };
}

/** Runs the check of the version as another Node would. */
function checkNode(version: string) {
  const code = `Object.defineProperty(process, 'version', { value: '${version}' }); await import('./scripts/check-node.js')`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT, encoding: 'utf8' });
}

describe('The examples in deploy', () => {
  const { intake, port } = Config.from({});

  it.each([
    ['proxy/nginx.conf', /client_max_body_size (\d+)m;/, '127.0.0.1'],
    ['proxy/Caddyfile', /max_size (\d+)MiB/, '127.0.0.1'],
    ['compose/Caddyfile', /max_size (\d+)MiB/, 'service'],
    ['kubernetes/ingress.yaml', /proxy-body-size: (\d+)m/, ''],
  ])('let the largest submission through: %s', (file, pattern, host) => {
    const text = read(`deploy/${file}`);

    const mib = Number(pattern.exec(text)?.[1]);
    expect(mib * MIB).toBeGreaterThan(intake.maxUploadBytes + intake.maxBodyBytes);
    if (host !== '') expect(text).toContain(`${host}:${port}`);
  });

  it('name only settings that there are', () => {
    const settings = read('docs/settings.md');
    const files = ['nginx.conf', 'Caddyfile'].map((name) => read(`deploy/proxy/${name}`));
    const compose = parse(read('deploy/compose/compose.yml')) as ComposeFile;
    const { spec } = parse(read('deploy/kubernetes/deployment.yaml')) as Deployment;
    const [container] = spec.template.spec.containers;
    const named = [
      ...(files.join('\n').match(/\b[A-Z]+(?:_[A-Z]+)+\b|\bHOST\b/g) ?? []),
      ...Object.keys(compose.services.service?.environment ?? {}),
      ...(container?.env ?? []).map(({ name }) => name.replace(/_FILE$/, '')),
    ];

    expect(named).toEqual(expect.arrayContaining(['BASE_URL', 'HOST', 'TRUST_PROXY', 'SMTP_URL']));
    // Empty there: it is for MySQL alone.
    for (const name of named.filter((it) => it !== 'MYSQL_PASSWORD')) expect(settings).toContain(`\`${name}\``);
  });

  it('need four lines of settings, and say what is missing in each', () => {
    const compose = read('deploy/compose/compose.yml');
    const asked = [...compose.matchAll(/\$\{(\w+):\?([^}]+)\}/g)];
    const lines = read('deploy/compose/.env.example').match(/^\w+(?==$)/gm);

    expect(asked.map(([, name]) => name).sort()).toEqual([...(lines ?? [])].sort());
    expect(lines).toHaveLength(4);
    for (const [, name = '', sentence] of asked) expect(sentence).toContain(`Set ${name} in .env to `);
  });
});

it('The image has all that runs, and no package but those with native code', () => {
  const [, , last = ''] = read('Dockerfile').split(/^FROM /m);

  const folder = mkdtempSync(join(tmpdir(), 'fcs-image-'));
  for (const [, sources = '', place = ''] of last.matchAll(/^COPY (?:--from=build )?(.+) (\S+)$/gm)) {
    for (const source of sources.split(' ').map((path) => path.replace('/app/', ''))) {
      const target = place.endsWith('/') ? join(place, basename(source)) : place;
      cpSync(ROOT + source, join(folder, target), { recursive: true });
    }
  }
  const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'migrate'], {
    cwd: folder,
    env: { DATA_DIR: join(folder, 'data') },
    encoding: 'utf8',
  });

  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual([
    '@node-rs',
    'better-sqlite3',
    'bindings',
    'file-uri-to-path',
  ]);
  expect(read('dist/licenses.txt')).toContain('typeorm');
  rmSync(folder, { recursive: true });
});

describe('A Node that is too old', () => {
  it.each(['v18.20.4', 'v20.18.3', 'v12.22.0'])('is told what to do: %s', (version) => {
    const { status, stderr } = checkNode(version);

    expect(status).toBe(1);
    expect(stderr).toContain(`This is Node ${version.slice(1)}; the service needs Node 20.19`);
  });

  it.each(['v20.19.0', 'v22.1.0', 'v100.0.0'])('is not what %s is', (version) => {
    expect(checkNode(version)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('What starts the service', () => {
  it('compiles when a source or a guide changed, and only then', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fcs-build-'));
    for (const name of ['scripts', 'src/forms', 'docs', 'dist', 'bin']) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    const sources = ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
    for (const name of [
      ...sources,
      'scripts/bundle.js',
      'src/main.ts',
      'src/forms/form.ts',
      'README.md',
      'docs/mail.md',
    ]) {
      writeFileSync(join(folder, name), '');
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    cpSync(`${ROOT}scripts/build-when-changed.js`, join(folder, 'scripts/build-when-changed.js'));
    // In the place of the compiler.
    const npm = `#!/bin/sh\necho "$@" >> ${folder}/built\n`;
    writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 });
    /** Starts so many times more, and tells how often it was compiled in all. */
    const builds = (starts: number) => {
      for (let n = 0; n < starts; n++) {
        const env = { ...process.env, PATH: `${folder}/bin:${String(process.env.PATH)}` };
        const script = join(folder, 'scripts/build-when-changed.js');
        expect(spawnSync(process.execPath, [script], { env }).status).toBe(0);
      }
      return readFileSync(join(folder, 'built'), 'utf8').trim().split('\n').length;
    };
    const later = new Date(Date.now() + 60_000);
    const before = new Date(Date.now() - 60_000);

    expect(builds(3)).toBe(1);
    utimesSync(join(folder, 'docs/mail.md'), later, later);
    expect(builds(1)).toBe(2);
    utimesSync(join(folder, 'docs/mail.md'), before, before);
    utimesSync(join(folder, 'src/forms/form.ts'), later, later);
    expect(builds(1)).toBe(3);

    // As `npm run build` ends; packages for development may be gone by the next start.
    for (const name of ['src/main.ts', 'src/forms/form.ts', 'src/forms', 'src', 'README.md', 'docs'])
      utimesSync(join(folder, name), before, before);
    rmSync(join(folder, 'dist/.built'));
    const script = join(folder, 'scripts/build-when-changed.js');
    expect(spawnSync(process.execPath, [script, '--built']).status).toBe(0);
    expect(builds(1)).toBe(3);

    // `npm prune` writes the same file again.
    utimesSync(join(folder, 'package-lock.json'), later, later);
    expect(builds(1)).toBe(3);
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    expect(builds(1)).toBe(4);
    rmSync(folder, { recursive: true });
  });
});
