import type * as api from '@jest/globals';

declare global {
  const afterAll: typeof api.afterAll;
  const afterEach: typeof api.afterEach;
  const beforeAll: typeof api.beforeAll;
  const beforeEach: typeof api.beforeEach;
  const describe: typeof api.describe;
  const expect: typeof api.expect;
  const it: typeof api.it;
  const jest: typeof api.jest;
}
