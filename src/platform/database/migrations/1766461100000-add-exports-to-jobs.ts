import { TableColumn, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const TABLE = 'bulk_jobs';
const INDEX = 'ix_bulk_jobs_export';

/** Lets jobs write exports: of which form, in which layout, and the file they made. */
export class AddExportsToJobs1766461100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type } = columns(runner);
    const added = [
      int('export_form_id', { nullable: true }),
      type('export_layout', 'mediumtext', { nullable: true }),
      binary('file_id', 16, { nullable: true }),
      type('file_bytes', 'bigint', { nullable: true }),
    ];
    // An interrupted run may have added some: servers commit each statement that changes a table.
    for (const column of added) {
      if (!(await runner.hasColumn(TABLE, column.name))) {
        await runner.addColumn(TABLE, new TableColumn(column));
      }
    }
    const table = await runner.getTable(TABLE);
    if (table?.indices.every(({ name }) => name !== INDEX)) {
      await runner.createIndex(
        TABLE,
        new TableIndex({ name: INDEX, columnNames: ['export_form_id'] }),
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, INDEX);
    for (const name of ['export_form_id', 'export_layout', 'file_id', 'file_bytes']) {
      await runner.dropColumn(TABLE, name);
    }
  }
}
