import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';

/** Returns how swc compiles sources: with the metadata Nest and TypeORM read, and JSX as the compiler does. */
export function optionsOf(tsx) {
  return {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: true,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
      keepClassNames: true,
    },
    module: { type: 'es6' },
  };
}

/**
 * Compiles one file.
 * @param {string} path of a `.ts` or `.tsx` file
 * @returns {{ code: string, map: string }} an ES module, and its source map as JSON
 */
export function compile(path) {
  const options = { ...optionsOf(path.endsWith('.tsx')), filename: path, sourceMaps: true };
  const { code, map = '' } = transformSync(readFileSync(path, 'utf8'), options);
  return { code, map };
}
