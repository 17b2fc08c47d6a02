import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

export class CreateRateCounts1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'rate_counts',
        columns: [{ ...binary('id', 16), isPrimary: true }, int('requests'), datetime('ends_at')],
        indices: [{ name: 'ix_rate_counts_end', columnNames: ['ends_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('rate_counts');
  }
}
