import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const TABLE = 'forms';
const NAME = 'files_bytes';

/** Keeps what the files of each form take. */
export class CountBytesOfFiles1766070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { type } = columns(runner);
    // An interrupted run may have added it: servers commit each statement that changes a table.
    if (!(await runner.hasColumn(TABLE, NAME))) {
      await runner.addColumn(TABLE, new TableColumn({ ...type(NAME, 'bigint'), default: '0' }));
    }
    const sums = (await runner.query(
      'SELECT form_id, SUM(size) AS bytes FROM files GROUP BY form_id',
    )) as { form_id: number; bytes: number | string }[];
    for (const { form_id, bytes } of sums) {
      await runner.query('UPDATE forms SET files_bytes = ? WHERE id = ?', [Number(bytes), form_id]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(TABLE, NAME);
  }
}
