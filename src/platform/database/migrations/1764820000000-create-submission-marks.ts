import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const LIST = { name: 'ix_submissions_list', before: 'form_id,trash,spam,id' };
const TIME = { name: 'ix_submissions_time', before: 'form_id,id,trash,spam' };
const LIST_WITH_DONE = 'form_id,trash,spam,done,id';
const TIME_WITH_DONE = 'form_id,id,trash,spam,done';

/** Creates the marks of submissions: done, others such as a star, and what each reader has read. */
export class CreateSubmissionMarks1764820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, flag, int, varchar } = columns(runner);
    const { type } = flag('done');
    // Written out, since TypeORM would copy the whole table on SQLite; so no engine reads a row.
    await runner.query(`ALTER TABLE submissions ADD COLUMN done ${type} NOT NULL DEFAULT 0`);
    await replaceIndex(runner, LIST.name, LIST_WITH_DONE);
    await replaceIndex(runner, TIME.name, TIME_WITH_DONE);
    await runner.createTable(
      new Table({
        name: 'submission_marks',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          { ...varchar('mark', 64), isPrimary: true },
          int('form_id'),
        ],
        indices: [
          { name: 'ix_submission_marks_form', columnNames: ['form_id', 'mark', 'submission_id'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'read_positions',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...varchar('reader', 32), isPrimary: true },
          binary('read_up_to', 16),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'read_exceptions',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...varchar('reader', 32), isPrimary: true },
          { ...binary('submission_id', 16), isPrimary: true },
        ],
        indices: [{ name: 'ix_read_exceptions_submission', columnNames: ['submission_id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['read_exceptions', 'read_positions', 'submission_marks']) {
      await runner.dropTable(table);
    }
    await replaceIndex(runner, TIME.name, TIME.before);
    await replaceIndex(runner, LIST.name, LIST.before);
    await runner.query('ALTER TABLE submissions DROP COLUMN done');
  }
}

async function replaceIndex(runner: QueryRunner, name: string, names: string): Promise<void> {
  await runner.dropIndex('submissions', name);
  await runner.createIndex('submissions', new TableIndex({ name, columnNames: names.split(',') }));
}
