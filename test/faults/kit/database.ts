import mysql from 'mysql2/promise';
import {
  findServer,
  startServer,
  WITHOUT_LOG,
  type PrivateServer,
} from '../../support/private-server.js';

/**
 * Starts a private database server, durable at every commit, with an empty database.
 * @param options more command-line options of the server
 * @param parent where its data is; a temporary folder otherwise
 */
export async function startDatabase(
  options: string[] = [],
  parent?: string,
): Promise<PrivateServer> {
  const program = findServer();
  if (program === null) throw new Error('Install MariaDB or MySQL to run these.');
  const server = await startServer(program, [WITHOUT_LOG, ...options], parent);
  const connection = await mysql.createConnection(server.url);
  await connection.query('CREATE DATABASE faults');
  await connection.end();
  return { ...server, url: `${server.url}faults` };
}
