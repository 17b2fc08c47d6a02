import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates who has which submission open. */
export class CreatePresences1766463300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'presences',
        columns: [
          { ...int('person_id'), isPrimary: true },
          int('client_id', { nullable: true }),
          binary('submission_id', 16),
          datetime('open_until'),
        ],
        indices: [
          new TableIndex({ name: 'ix_presences_submission', columnNames: ['submission_id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('presences');
  }
}
