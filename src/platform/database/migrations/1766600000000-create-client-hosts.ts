import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the hosts of clients. */
export class CreateClientHosts1766600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'client_hosts',
        columns: [
          { ...int('client_id'), isPrimary: true },
          int('account_id'),
          varchar('host', 253),
          varchar('proven_host', 253, { nullable: true }),
          varchar('proof', 32),
          datetime('proven_at', { nullable: true }),
        ],
        indices: [{ name: 'uq_client_hosts_proven', columnNames: ['proven_host'], isUnique: true }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('client_hosts');
  }
}
