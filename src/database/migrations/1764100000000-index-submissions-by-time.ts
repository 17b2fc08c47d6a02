import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEX = 'ix_submissions_time';

/** The order of time over several folders at once. */
export class IndexSubmissionsByTime1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columnNames = ['form_id', 'id', 'trash', 'spam'];
    await runner.createIndex('submissions', new TableIndex({ name: INDEX, columnNames }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('submissions', INDEX);
  }
}
