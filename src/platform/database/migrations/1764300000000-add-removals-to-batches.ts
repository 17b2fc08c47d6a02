import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Lets the index of values lose its entries after the transaction that removed their submissions. */
export class AddRemovalsToBatches1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { int } = columns(runner);
    const form = new TableColumn(int('removed_from', { nullable: true }));
    await runner.addColumn('submission_batches', form);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('submission_batches', 'removed_from');
  }
}
