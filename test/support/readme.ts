import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type InputOptions } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the blocks of code in a language that a document shows, in order. */
export function codeIn(document: string, language: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');
}

/** Makes a script for browsers of JSX and all that it imports, as a site's bundler does. */
export function bundleForBrowsers(code: string): Promise<string> {
  const define = { 'process.env.NODE_ENV': '"production"' };
  return compile(code, 'contact.jsx', { platform: 'browser', transform: { define, jsx: 'react-jsx' } });
}

/** Runs TypeScript in this process. @returns what it exports */
export async function runModule<Exports = unknown>(code: string, name: string): Promise<Exports> {
  const path = join(ROOT, 'build/tests/snippets', `${name}.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await compile(code, `${name}.ts`, { platform: 'node', external: /^form-collection-client/ }));
  return (await import(pathToFileURL(path).href)) as Exports;
}

async function compile(code: string, name: string, options: InputOptions) {
  const id = join(ROOT, name);
  const { output } = await build({
    ...options,
    cwd: ROOT,
    input: id,
    tsconfig: false,
    plugins: [
      { name: 'snippet', resolveId: (path) => (path === id ? id : null), load: (path) => (path === id ? code : null) },
    ],
    write: false,
  });
  return output[0].code;
}
