import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/**
 * Creates the counts of pages, origins, countries and values of fields, and what submissions have for them. They begin
 * with what comes from then on: to read all that is there would take hours.
 */
export class CreateFacets1766464000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, varchar } = columns(runner);
    const { type: integer } = int('facets');
    // Written out, since TypeORM would copy the whole table on SQLite.
    if (!(await runner.hasColumn('submissions', 'country'))) {
      await runner.query('ALTER TABLE submissions ADD COLUMN country varchar(2) NULL');
    }
    if (!(await runner.hasColumn('submissions', 'facets'))) {
      await runner.query(`ALTER TABLE submissions ADD COLUMN facets ${integer} NULL`);
    }
    const key = [int('account_id'), int('form_id'), int('facet'), binary('digest', 8)].map(
      (column) => ({ ...column, isPrimary: true }),
    );
    await runner.createTable(
      new Table({
        name: 'facet_values',
        columns: [
          ...key,
          varchar('name', 64),
          varchar('text', 255, { nullable: true }),
          int('seen'),
          int('going'),
        ],
        indices: [new TableIndex({ name: 'ix_facet_values_going', columnNames: ['going'] })],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'facet_counts',
        columns: [
          ...key,
          { ...int('length'), isPrimary: true },
          { ...int('begins'), isPrimary: true },
          int('submissions'),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('facet_counts');
    await runner.dropTable('facet_values');
    await runner.query('ALTER TABLE submissions DROP COLUMN facets');
    await runner.query('ALTER TABLE submissions DROP COLUMN country');
  }
}
