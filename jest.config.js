/** The sources and tests are ES modules; swc compiles both, with the metadata Nest and TypeORM read. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: true,
          },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  projects: [
    { ...common, displayName: 'unit', rootDir: 'src', testRegex: '\\.spec\\.ts$' },
    {
      ...common,
      displayName: 'e2e',
      rootDir: 'test',
      testRegex: '\\.e2e-spec\\.ts$',
      globalSetup: `${import.meta.dirname}/test/support/build.js`,
    },
    {
      ...common,
      displayName: 'faults',
      rootDir: 'test',
      testRegex: '\\.fault-spec\\.ts$',
      globalSetup: `${import.meta.dirname}/test/support/build.js`,
    },
  ],
  maxWorkers: '100%',
  testTimeout: 30_000,
};
