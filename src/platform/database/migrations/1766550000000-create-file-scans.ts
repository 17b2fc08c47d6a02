import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what scans for viruses found in files; files from before have none. */
export class CreateFileScans1766550000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'file_scans',
        columns: [
          { ...binary('file_id', 16), isPrimary: true },
          varchar('state', 16),
          varchar('virus', 255, { nullable: true }),
          datetime('due_at', { nullable: true }),
          datetime('unlocked_at', { nullable: true }),
        ],
        indices: [{ name: 'ix_file_scans_due', columnNames: ['due_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('file_scans');
  }
}
