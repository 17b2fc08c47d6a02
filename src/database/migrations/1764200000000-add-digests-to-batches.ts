import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** What the index of values is made from; rows of instances that do not write it yet have none. */
export class AddDigestsToBatches1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { type } = columns(runner);
    const digests = new TableColumn(type('digests', 'mediumblob', { nullable: true }));
    await runner.addColumn('submission_batches', digests);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('submission_batches', 'digests');
  }
}
