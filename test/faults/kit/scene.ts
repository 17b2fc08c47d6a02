import type { PrivateServer } from '../../support/private-server.js';
import { startDatabase } from './database.js';
import { Ledger } from './ledger.js';
import { RunningService } from './running-service.js';

/** Undoes what each test of a file has done, last first. */
function useCleanUp(): (undo: () => unknown) => void {
  const steps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });
  return (undo) => void steps.push(undo);
}

/** Runs a database server for the tests of a file. */
export function useDatabase(): () => PrivateServer {
  let database: PrivateServer;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  return () => database;
}

/** Starts services, and sends to forms of theirs, until the end of a test. */
export function useServices() {
  const later = useCleanUp();
  return {
    later,
    start: async (settings: Record<string, string> = {}, build?: string) => {
      const service = await RunningService.start(settings, build);
      later(() => service.remove());
      return service;
    },
    /** @param services one of which gets each submission */
    sendTo: (form: string, services: { url: string }[]) => {
      const ledger = new Ledger(services.map(({ url }) => `${url}/f/${form}`));
      later(() => ledger.stop());
      return ledger;
    },
  };
}
