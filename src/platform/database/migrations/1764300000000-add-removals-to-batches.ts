import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Lets removed submissions leave the value index after the transaction that removed them. */
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
