import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates who is told of which saved view by mail. */
export class CreateViewDigests1766230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'view_digests',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          binary('view_id', 16),
          int('person_id'),
          int('account_id'),
          int('client_id', { nullable: true }),
          varchar('every', 8),
          datetime('next_at'),
          binary('told_up_to', 16),
          binary('lease_token', 16, { nullable: true }),
          datetime('lease_until', { nullable: true }),
        ],
        indices: [
          { name: 'uq_view_digests', columnNames: ['view_id', 'person_id'], isUnique: true },
          { name: 'ix_view_digests_due', columnNames: ['next_at'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('view_digests');
  }
}
