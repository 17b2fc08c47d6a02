import { ModernFakeTimers } from '@jest/fake-timers';
import circus from 'jest-circus/runner';
import { ModuleMocker } from 'jest-mock';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { describeStack } from './stacks.js';

/** Files that get a context of their own: they replace a module. */
const APART = /\/(?:own-address|passwords)\.spec\.ts$/;

/** Where circus looks for how long a test may take. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const require = createRequire(import.meta.url);
register('./hooks.js', import.meta.url);
let runs = 0;

/**
 * Runs a file of tests by Jest's circus in the modules of Node itself, not in a context of `node:vm` that loads
 * all packages and sources anew: they are loaded once for all files that a process runs, and stay optimised.
 */
export default async function run(globalConfig, config, environment, runtime, path, send) {
  const begin = (within) => circus.default(globalConfig, config, environment, within, path, send);
  if (APART.test(path)) return begin(runtime);
  const mocks = new ModuleMocker(globalThis);
  const timers = new ModernFakeTimers({ config, global: globalThis });
  const env = { ...process.env };
  const folder = process.cwd();
  Error.prepareStackTrace = describeStack;
  try {
    return await begin({
      requireInternalModule: requireAnew,
      requireModule: require,
      setGlobalsForRuntime: (globals) => {
        globalThis[Symbol.for('jest-globals')] = { ...globals, jest: jestOf(mocks, timers) };
      },
      unstable_shouldLoadAsEsm: () => true,
      unstable_importModule: (file) => import(`${pathToFileURL(file)}?run=${++runs}`),
      enterTestCode: () => undefined,
      leaveTestCode: () => undefined,
    });
  } finally {
    // What a file did not put back is not there for the next.
    timers.dispose();
    mocks.restoreAllMocks();
    Reflect.deleteProperty(globalThis, TIMEOUT);
    globalThis[Symbol.for('forget-ids')]?.();
    process.chdir(folder);
    for (const name of Object.keys(process.env)) {
      if (!(name in env)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, env);
  }
}

/** Loads circus with the state of one file alone. */
function requireAnew(path) {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  Reflect.deleteProperty(require.cache, path);
  return require(path);
}

/** Makes the `jest` object, without what replaces modules. */
function jestOf(mocks, timers) {
  const bound = (object, names) => names.map((name) => [name, object[name].bind(object)]);
  return Object.fromEntries([
    ['setTimeout', (ms) => (globalThis[TIMEOUT] = ms)],
    ...bound(mocks, ['fn', 'spyOn', 'replaceProperty', 'restoreAllMocks']),
    ...bound(timers, [
      'advanceTimersByTime',
      'advanceTimersByTimeAsync',
      'getTimerCount',
      'runAllTimersAsync',
      'useFakeTimers',
      'useRealTimers',
    ]),
  ]);
}
