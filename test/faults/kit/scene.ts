import mysql from 'mysql2/promise';
import { findServer, startServer, WITHOUT_LOG, type PrivateServer } from '../../support/private-server.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Ledger } from './ledger.js';
import { RunningService } from './running-service.js';

/**
 * Starts a private database server, durable at every commit, with an empty database.
 * @param options more command-line options of the server
 * @param parent where its data is; a temporary folder otherwise
 */
export async function startDatabase(options: string[] = [], parent?: string): Promise<PrivateServer> {
  const program = findServer();
  if (program === null) throw new Error('Install MariaDB or MySQL to run these.');
  const server = await startServer(program, [WITHOUT_LOG, ...options], parent);
  const connection = await mysql.createConnection(server.url);
  await connection.query('CREATE DATABASE faults');
  await connection.end();
  return { ...server, url: `${server.url}faults` };
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

/** Runs a test on each kind of database, by the settings that lead there. */
export const onBoth = (database: () => PrivateServer) =>
  it.each<[string, () => Record<string, string>]>([
    ['the embedded database', () => ({})],
    ['a database server', () => ({ DATABASE_URL: database().url })],
  ]);

/** Starts services, what they call, and what is sent to forms of theirs, until the end of a test. */
export function useServices() {
  const steps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });
  /** Undoes what a test has done, last first. */
  const later = (undo: () => unknown) => void steps.push(undo);
  return {
    later,
    start: async (settings: Record<string, string> = {}, build?: string) => {
      const service = await RunningService.start(settings, build);
      later(() => service.remove());
      return service;
    },
    /** Starts a receiver of webhooks, on every address of this machine. */
    receive: async () => {
      const receiver = await WebhookReceiver.start(undefined, '0.0.0.0');
      later(() => receiver.close());
      return receiver;
    },
    /** @param services one of which gets each submission, @param more fields of each submission */
    sendTo: (form: string, services: { url: string }[], more?: Record<string, string>) => {
      const ledger = new Ledger(
        services.map(({ url }) => `${url}/f/${form}`),
        more,
      );
      later(() => ledger.stop());
      return ledger;
    },
  };
}
