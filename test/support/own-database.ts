import { createTables, type TestDatabase } from './database.js';
import { Service } from './service.js';

/**
 * Gives each test of a file a database of its own, and ends what it starts on it.
 * @param make createDatabase for one without tables
 */
export function useOwnDatabases(make = createTables) {
  let database: TestDatabase;
  const services: Service[] = [];
  beforeEach(async () => {
    database = await make();
  });
  afterEach(async () => {
    for (const each of services.splice(0)) await each.close();
    await database.drop();
  });
  return {
    settings: () => database.settings,
    start: async (more: Record<string, string> = {}) => {
      const service = await Service.start({ ...database.settings, ...more });
      services.push(service);
      return service;
    },
  };
}
