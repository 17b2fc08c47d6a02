import { ModernFakeTimers } from '@jest/fake-timers';
import fc from 'fast-check';
import circus from 'jest-circus/runner';
import { ModuleMocker } from 'jest-mock';
import hooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { forgetIds } from '../../build/platform/kernel/uuid.js';
import { bundleOf } from './bundle.js';
import { collectOutput } from './output.js';

/** Description of the symbol under which circus keeps what a file has; it is another each time that circus is loaded. */
const STATE = 'JEST_STATE_SYMBOL';
/** Where circus looks for how long a test may take. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Where one test does much, and how many times as long it may take. */
const PATIENT = { files: /\/test\/(?:faults|heavy)\//, times: 5 };
/** Where tests say why they are skipped. */
const SKIPS = Symbol.for('skipped-because');
const require = createRequire(import.meta.url);
/** Stands for circus' storage of the test under way: tests run one after the other, so Node need not follow promises. */
const storage = {
  test: undefined,
  getStore: () => storage.test,
  run: async (test, work) => {
    const { test: before } = storage;
    storage.test = test;
    try {
      return await work();
    } finally {
      storage.test = before;
    }
  },
};
/** Tells a worker that all is done; connections that are kept alive would hold it for longer. */
const CHILD_MESSAGE_END = 2;
process.on('message', ([kind]) => {
  if (kind === CHILD_MESSAGE_END) process.exit();
});
// Properties are tried with the same values each time, unless a run says otherwise.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

/**
 * Runs a file of tests by Jest's circus in the modules of Node itself, not in a context of `node:vm` that loads
 * all packages and the service anew: they are loaded once for all files that a process runs, and stay optimised.
 */
export default async function run(globalConfig, config, environment, _runtime, path, send) {
  const mocks = new ModuleMocker(globalThis);
  const timers = new ModernFakeTimers({ config, global: globalThis });
  const env = { ...process.env };
  const folder = process.cwd();
  const before = openHandles();
  // Node finds the places in the sources in a quarter of the time that Jest takes.
  Error.prepareStackTrace = undefined;
  globalThis[SKIPS] = new Set();
  if (PATIENT.files.test(path)) globalThis[TIMEOUT] = PATIENT.times * globalConfig.testTimeout;
  const output = collectOutput();
  environment.handleTestEvent = ({ name }) => {
    if (name === 'test_done') mocks.restoreAllMocks();
  };
  const within = {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime: (globals) => Object.assign(globalThis, globals, { jest: jestOf(mocks, timers) }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: () => import(pathToFileURL(bundleOf(path))),
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  };
  try {
    const result = await circus.default(globalConfig, config, environment, within, path, send);
    const left = [...spiesLeft(mocks), ...(await handlesLeft(before))];
    if (left.length > 0) fail(result, `${path} leaves ${left.join(' and ')}.`);
    return { ...result, skips: [...globalThis[SKIPS]], output: output.text() };
  } finally {
    // What a file did not put back is not there for the next.
    output.end();
    timers.dispose();
    mocks.restoreAllMocks();
    forgetIds();
    Reflect.deleteProperty(globalThis, TIMEOUT);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === STATE) Reflect.deleteProperty(globalThis, symbol);
    }
    process.chdir(folder);
    for (const name of Object.keys(process.env)) {
      if (!(name in env)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, env);
  }
}

/** Loads circus with the state of one file alone, and without the storage that it would make each time. */
function requireAnew(path) {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  Reflect.deleteProperty(require.cache, path);
  const { AsyncLocalStorage } = hooks;
  hooks.AsyncLocalStorage = function () {
    return storage;
  };
  try {
    return require(path);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
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

function fail(result, message) {
  result.testExecError = { message, stack: '' };
  result.failureMessage = `${result.failureMessage ?? ''}\n  ● ${message}\n`;
}

/** Counts what keeps a port or another process. */
function openHandles() {
  const names = process.getActiveResourcesInfo();
  const count = (wanted) => names.filter((name) => name === wanted).length;
  return { servers: count('TCPServerWrap'), processes: count('ProcessWrap') };
}

/** Names what a file has not closed; what it is closing gets a moment. */
async function handlesLeft(before, tries = 20) {
  const left = Object.entries(openHandles()).flatMap(([name, count]) =>
    count > before[name] ? [`${count - before[name]} ${name}`] : [],
  );
  if (left.length === 0 || tries === 0) return left;
  await pause(25);
  return handlesLeft(before, tries - 1);
}

/** Spies of tests are restored after each; others live longer than what they spy on. */
function spiesLeft(mocks) {
  return mocks._spyState.size > 0 ? [`${mocks._spyState.size} spies`] : [];
}
