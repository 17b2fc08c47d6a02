import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';

/** Module that test files import as Jest's. */
const GLOBALS = new URL('./globals.js', import.meta.url).href;
const TESTS = new URL('../', import.meta.url).href;
/** Makes ids; what it made last is forgotten between files of tests, since some of them move the clock. */
const IDS = new URL('../../src/platform/kernel/uuid.ts', import.meta.url).href;
const FORGET_IDS = "\nglobalThis[Symbol.for('forget-ids')] = () => { lastMs = 0; };";
/** Compiled modules of tests by address. */
const kept = new Map();

/**
 * Finds `x.ts` or `x.tsx` where `x.js` is imported. Modules of tests carry the number of the run, so that each
 * file of tests gets its own; sources and packages are the same for all.
 */
export async function resolve(specifier, context, next) {
  const { parentURL = '' } = context;
  const run = /\?run=\d+$/.exec(parentURL)?.[0] ?? '';
  if (specifier === '@jest/globals') return { url: GLOBALS + run, shortCircuit: true };
  if (!specifier.startsWith('.') || parentURL.includes('/node_modules/')) {
    return next(specifier, context);
  }
  const url = sourceOf(new URL(specifier, parentURL).href);
  return { url: url.startsWith(TESTS) ? url + run : url, shortCircuit: true };
}

/** Compiles what is TypeScript. */
export async function load(url, context, next) {
  const [address] = url.split('?');
  if (!/\.tsx?$/.test(address)) return next(url, context);
  const source = kept.get(address) ?? compile(fileURLToPath(address)).code;
  if (address.startsWith(TESTS)) kept.set(address, source);
  return {
    format: 'module',
    source: address === IDS ? source + FORGET_IDS : source,
    shortCircuit: true,
  };
}

function sourceOf(url) {
  const name = url.replace(/\.js$/, '');
  return [`${name}.ts`, `${name}.tsx`].find((source) => existsSync(new URL(source))) ?? url;
}
