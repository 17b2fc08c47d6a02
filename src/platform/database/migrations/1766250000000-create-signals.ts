import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the signals by which instances tell each other that something has changed. */
export class CreateSignals1766250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'signals',
        columns: [
          { ...varchar('topic', 16), isPrimary: true },
          { ...int('subject_id'), isPrimary: true },
          datetime('given_at'),
        ],
        indices: [{ name: 'ix_signals_time', columnNames: ['given_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('signals');
  }
}
