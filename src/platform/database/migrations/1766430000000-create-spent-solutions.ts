import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the proofs of work that count no more. */
export class CreateSpentSolutions1766430000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'spent_solutions',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          binary('nonce', 16),
          datetime('expires_at'),
        ],
        indices: [
          new TableIndex({
            name: 'uq_spent_solutions_nonce',
            columnNames: ['nonce'],
            isUnique: true,
          }),
          new TableIndex({ name: 'ix_spent_solutions_end', columnNames: ['expires_at'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('spent_solutions');
  }
}
