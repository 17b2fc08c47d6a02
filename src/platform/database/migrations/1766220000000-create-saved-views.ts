import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the filters that people keep under names. */
export class CreateSavedViews1766220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'saved_views',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('account_id'),
          int('client_id', { nullable: true }),
          varchar('owner', 32, { nullable: true }),
          varchar('name', 60),
          varchar('line', 255),
        ],
        indices: [
          { name: 'ix_saved_views_place', columnNames: ['account_id', 'client_id', 'owner'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('saved_views');
  }
}
