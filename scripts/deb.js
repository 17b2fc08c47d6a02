/**
 * Makes the Debian package: the content of the release package with its packages of native code, the Node that runs this
 * script, and the unit of `deploy/systemd`.
 * `node scripts/deb.js FOLDER [--quick]` writes it there, or quickly without compression, and prints its path. `DEB_MAINTAINER="Name <address>"` says who makes it.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const NAME = 'form-collection-service';
const PREFIX = `usr/lib/${NAME}`;
const MODULES = `${PREFIX}/lib/node_modules`;
const DOC = `usr/share/doc/${NAME}`;
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch];
/** Files of the packages with native code that run, and their licenses. */
const NATIVE = [
  ...['package.json', 'LICENSE', 'lib', 'build/Release/better_sqlite3.node'].map((name) => `better-sqlite3/${name}`),
  ...['package.json', 'LICENSE.md', 'bindings.js'].map((name) => `bindings/${name}`),
  ...['package.json', 'LICENSE', 'index.js'].map((name) => `file-uri-to-path/${name}`),
  ...['package.json', 'LICENSE', 'index.js'].map((name) => `@node-rs/argon2/${name}`),
  ...['package.json', `argon2.linux-${process.arch}-gnu.node`].map(
    (name) => `@node-rs/argon2-linux-${process.arch}-gnu/${name}`,
  ),
];
/** Places of the license of Node, seen from the folder of its program. */
const NODE_LICENSES = ['../LICENSE', '../share/doc/nodejs/LICENSE'];
const MODES = { folder: 0o755, program: 0o755, file: 0o644, secret: 0o640 };

const read = (name) => fs.readFileSync(ROOT + name, 'utf8');
const { version } = JSON.parse(read('package.json'));
const maintainer = process.env.DEB_MAINTAINER || `Contributors of the ${NAME} <${NAME}@localhost>`;

/** Writes a file of the package. */
function write(stage, name, content, mode = MODES.file) {
  const path = join(stage, name);
  fs.mkdirSync(dirname(path), { recursive: true, mode: MODES.folder });
  fs.writeFileSync(path, content);
  fs.chmodSync(path, mode);
}

/** Runs a program. @returns what it prints @throws Error with what it says is wrong */
function run(program, words, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options });
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Returns the unit of `deploy/systemd`, with the user of the package. @throws Error when it cannot be changed so */
export function unit() {
  const ours = read(`deploy/systemd/${NAME}.service`);
  const changed = ours.replace(/^(?:#.*\n)+\n/, '').replace(/^DynamicUser=yes$/m, `User=${NAME}`);
  if (!changed.startsWith('[Unit]') || !changed.includes(`\nUser=${NAME}\n`))
    throw new Error('The unit is another one.');
  return changed;
}

/**
 * Writes what `dpkg` reads, and the settings.
 * @param depends packages that this one needs @param kilobytes size of what is installed
 */
export function writeControl(stage, depends, kilobytes) {
  const fields = [
    `Package: ${NAME}`,
    `Version: ${version}`,
    'Section: web',
    'Priority: optional',
    `Architecture: ${ARCHITECTURE}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends.join(', ')}`,
    'Description: self-hosted form backend',
    ' It stores what visitors send to any HTML form, shows it in an inbox, and sends',
    ' emails and webhook calls. It notices when a form is dead.',
    ' .',
    ' Node and an embedded database are inside; MySQL and MariaDB work too.',
  ];
  write(stage, 'DEBIAN/control', `${fields.join('\n')}\n`);
  write(stage, 'DEBIAN/conffiles', `/etc/${NAME}.env\n`);
  for (const name of ['postinst', 'prerm', 'postrm'])
    write(stage, `DEBIAN/${name}`, read(`deploy/debian/${name}`), MODES.program);
  // It is for secrets too. postinst gives it to the group of the service.
  write(
    stage,
    `etc/${NAME}.env`,
    read('.env.example').replace('Copy this file to .env and take', 'Take'),
    MODES.secret,
  );
}

/** Returns the Debian packages of the libraries that programs need. */
function librariesOf(stage) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'shlibs-'));
  write(folder, 'debian/control', `Source: ${NAME}\n\nPackage: ${NAME}\nArchitecture: any\n`);
  const programs = [join(PREFIX, 'bin/node'), ...NATIVE.filter((name) => name.endsWith('.node')).map(inModules)];
  const said = run('dpkg-shlibdeps', ['-O', ...programs.map((name) => `-e${join(stage, name)}`)], { cwd: folder });
  fs.rmSync(folder, { recursive: true });
  return said.replace('shlibs:Depends=', '').trim().split(', ');
}

const inModules = (name) => join(MODULES, name);

/** Puts documents where Debian has them, compressed. */
function writeDocuments(stage) {
  const ours = inModules(NAME);
  const license = NODE_LICENSES.map((name) => join(dirname(process.execPath), name)).find((it) => fs.existsSync(it));
  if (!license) throw new Error(`The license of Node is in none of ${NODE_LICENSES.join(', ')}.`);
  const take = (name) => {
    const path = join(stage, ours, name);
    const content = fs.readFileSync(path);
    fs.rmSync(path);
    return content;
  };
  const [, date] = /^## \[[\d.]+\] - (\S+)$/m.exec(read('CHANGELOG.md'));
  const day = new Date(date).toUTCString().replace('GMT', '+0000');
  const changes = `${NAME} (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- ${maintainer}  ${day}\n`;
  const documents = {
    changelog: changes,
    'CHANGELOG.md': take('CHANGELOG.md'),
    'README.md': take('README.md'),
    'licenses.txt': take('dist/licenses.txt'),
    'node.txt': fs.readFileSync(license),
  };
  for (const [name, content] of Object.entries(documents))
    write(stage, `${DOC}/${name}.gz`, gzipSync(content, { level: 9 }));
  write(stage, `${DOC}/copyright`, read('deploy/debian/copyright') + take('LICENSE').toString());
  take('.env.example');
}

/** Gives files the usual rights, and strips programs. @returns their size in bytes */
function normalize(path) {
  if (fs.statSync(path).isDirectory()) {
    fs.chmodSync(path, MODES.folder);
    return fs.readdirSync(path).reduce((sum, name) => sum + normalize(join(path, name)), 0);
  }
  const isNode = path.endsWith('/bin/node');
  fs.chmodSync(path, isNode ? MODES.program : MODES.file);
  if (isNode || path.endsWith('.node')) run('strip', ['--strip-unneeded', path]);
  return fs.statSync(path).size;
}

/** Packs everything. @param isQuick whether to compress nothing @returns the path of the package */
function makePackage(folder, isQuick) {
  const stage = fs.mkdtempSync(join(tmpdir(), 'deb-'));
  try {
    const tarball = run(process.execPath, [`${ROOT}scripts/pack.js`, stage]).trim();
    fs.mkdirSync(join(stage, inModules(NAME)), { recursive: true });
    run('tar', [
      '--extract',
      '--strip-components=1',
      `--file=${tarball}`,
      `--directory=${join(stage, inModules(NAME))}`,
    ]);
    fs.rmSync(tarball);
    for (const name of NATIVE)
      fs.cpSync(`${ROOT}node_modules/${name}`, join(stage, inModules(name)), { recursive: true });
    fs.cpSync(process.execPath, join(stage, PREFIX, 'bin/node'));
    writeDocuments(stage);
    const depends = ['adduser', ...librariesOf(stage)];
    const size = normalize(stage);
    const defaults = Array.from(unit().matchAll(/^Environment=(.+)$/gm), ([, words]) => words.replaceAll(' ', '\n'));
    write(stage, `${PREFIX}/defaults.env`, `${defaults.join('\n')}\n`);
    write(stage, `usr/bin/${NAME}`, read(`deploy/debian/${NAME}`), MODES.program);
    write(stage, `usr/lib/systemd/system/${NAME}.service`, unit());
    write(stage, `usr/share/lintian/overrides/${NAME}`, read('deploy/debian/lintian-overrides'));
    writeControl(stage, depends, Math.ceil(size / 1_024));
    const file = join(resolve(folder), `${NAME}_${version}_${ARCHITECTURE}.deb`);
    run('dpkg-deb', ['--root-owner-group', isQuick ? '-Znone' : '-Zxz', '--build', stage, file]);
    return file;
  } finally {
    fs.rmSync(stage, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '.', option] = process.argv.slice(2);
  console.log(makePackage(folder, option === '--quick'));
}
