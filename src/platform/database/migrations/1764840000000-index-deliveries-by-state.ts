import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'deliveries';
const NAME = 'ix_deliveries_recipient';

/** Lets the caps on mails find those that count without reading those that failed. */
export class IndexDeliveriesByState1764840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replace(runner, ['recipient_key', 'kind', 'state', 'id']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, ['recipient_key', 'id']);
  }
}

/** Makes the index anew. An interrupted run may have dropped it: servers commit each statement that changes one. */
async function replace(runner: QueryRunner, columnNames: string[]): Promise<void> {
  await runner.dropIndex(TABLE, NAME, true);
  await runner.createIndex(TABLE, new TableIndex({ name: NAME, columnNames }));
}
