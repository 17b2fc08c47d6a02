import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates which checks fail, and of which operators were told. */
export class CreateOperatorAlarms1766720100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'operator_alarms',
        columns: [
          { ...varchar('check_name', 64), isPrimary: true },
          datetime('found_at'),
          datetime('seen_at'),
          datetime('told_at', { nullable: true }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('operator_alarms');
  }
}
