import { optionsOf } from './test/runner/compile.js';

const swc = (tsx) => ['@swc/jest', { ...optionsOf(tsx), sourceMaps: 'inline' }];

/** The sources and tests are ES modules. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': swc(false), '^.+\\.tsx$': swc(true) },
};

export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      rootDir: 'src',
      testRunner: '<rootDir>/../test/runner/runner.js',
      testRegex: '\\.spec\\.tsx?$',
    },
    {
      ...common,
      displayName: 'e2e',
      rootDir: 'test',
      testRunner: '<rootDir>/runner/runner.js',
      testRegex: '\\.e2e-spec\\.ts$',
      globalSetup: `${import.meta.dirname}/scripts/build-when-changed.js`,
    },
    {
      ...common,
      displayName: 'faults',
      rootDir: 'test',
      testRegex: '\\.fault-spec\\.ts$',
      globalSetup: `${import.meta.dirname}/scripts/build-when-changed.js`,
    },
  ],
  maxWorkers: '100%',
  // Modules of finished files stay in a worker's memory; without a bound it collects garbage half of the time.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};
