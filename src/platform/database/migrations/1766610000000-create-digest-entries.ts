import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates which mails go out within which digest of a destination. */
export class CreateDigestEntries1766610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'digest_entries',
        columns: [{ ...binary('delivery_id', 16), isPrimary: true }, binary('digest_id', 16)],
        indices: [{ name: 'ix_digest_entries_digest', columnNames: ['digest_id', 'delivery_id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('digest_entries');
  }
}
