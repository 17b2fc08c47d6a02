import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates which processes of the service run. */
export class CreateRunningInstances1766740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'running_instances',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          varchar('name', 100),
          varchar('folder_id', 32),
          binary('key_id', 4),
          datetime('alive_until'),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('running_instances');
  }
}
