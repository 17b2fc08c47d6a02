const project = (displayName, roots, testRegex, testPathIgnorePatterns = ['^$']) => ({
  ...{ displayName, testRegex, testPathIgnorePatterns },
  roots: roots.map((root) => `<rootDir>/${root}`),
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/runner/runner.js',
  globalSetup: '<rootDir>/test/runner/bundle.js',
  transform: {},
});

export default {
  projects: [
    project('unit', ['src'], '\\.spec\\.tsx?$'),
    project('e2e', ['test'], '\\.e2e-spec\\.ts$', ['/test/heavy/']),
    project('heavy', ['test/heavy'], '\\.e2e-spec\\.ts$'),
    project('faults', ['test/faults'], '\\.fault-spec\\.ts$'),
  ],
  reporters: ['<rootDir>/test/runner/reporter.js'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  maxWorkers: '100%',
  // Modules of finished files stay in a worker's memory; without a bound it collects garbage half of the time.
  workerIdleMemoryLimit: '1GB',
  // The reporter ends the run.
  openHandlesTimeout: 0,
  // Guards against tests that hang; none is too slow.
  testTimeout: 120_000,
};
