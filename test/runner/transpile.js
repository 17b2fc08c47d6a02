import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const PROJECT = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));
const { compilerOptions } = ts.readConfigFile(PROJECT, ts.sys.readFile).config;
const { options } = ts.convertCompilerOptionsFromJson(
  { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
  '.',
);

/** Makes an ES module of one source without a look at its types, for a copy of the service that a test changes. */
export function transpile(path) {
  return ts.transpileModule(readFileSync(path, 'utf8'), { fileName: path, compilerOptions: options }).outputText;
}
