import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Submissions read, and rows written, by one statement. */
const READ_ROWS = 10_000;
const WRITE_ROWS = 500;
const HOUR_MS = 60 * 60 * 1000;
const DAY_HOURS = 24;
const ALL_FORMS = 0;

/** Submissions and spam by hour since 1970. */
type Hours = Map<number, [submissions: number, spam: number]>;

/** Creates the counts of submissions by hour and day, and counts what is there. */
export class CountSubmissions1766040000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { int, type } = columns(runner);
    if (!(await runner.hasColumn('submission_batches', 'counts'))) {
      const { type: text } = type('counts', 'mediumtext');
      // Written out, since TypeORM would copy the whole table on SQLite.
      await runner.query(`ALTER TABLE submission_batches ADD COLUMN counts ${text} NULL`);
    }
    await runner.createTable(
      new Table({
        name: 'submission_counts',
        columns: [
          { ...int('account_id'), isPrimary: true },
          { ...int('form_id'), isPrimary: true },
          { ...int('length'), isPrimary: true },
          { ...int('begins'), isPrimary: true },
          int('submissions'),
          int('spam'),
        ],
      }),
      true,
    );
    // An interrupted run may have left some: servers commit each statement that changes a table.
    await runner.query('DELETE FROM submission_counts');
    await countAll(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('submission_counts');
    await runner.query('ALTER TABLE submission_batches DROP COLUMN counts');
  }
}

async function countAll(runner: QueryRunner): Promise<void> {
  const forms = (await runner.query(
    'SELECT id, account_id FROM forms WHERE deleted_at IS NULL ORDER BY account_id, id',
  )) as { id: number; account_id: number }[];
  const accounts = new Map<number, Hours>();
  for (const { id, account_id } of forms) {
    const hours = await hoursOf(runner, id);
    await write(runner, account_id, id, hours);
    const sums = accounts.get(account_id) ?? new Map<number, [number, number]>();
    for (const [hour, counts] of hours) addTo(sums, hour, counts);
    accounts.set(account_id, sums);
  }
  for (const [account, hours] of accounts) await write(runner, account, ALL_FORMS, hours);
}

/** Walks through the index of a form, so that no row is read; the time is in the ids. */
async function hoursOf(runner: QueryRunner, formId: number): Promise<Hours> {
  const hours: Hours = new Map();
  let after: Buffer = Buffer.alloc(16);
  for (;;) {
    const found = (await runner.query(
      `SELECT id, spam FROM submissions /*! FORCE INDEX (ix_submissions_time) */
        WHERE form_id = ? AND id > ? ORDER BY id LIMIT ${READ_ROWS}`,
      [formId, after],
    )) as { id: Buffer; spam: number }[];
    for (const { id, spam } of found) {
      const hour = Math.floor(id.readUIntBE(0, 6) / HOUR_MS);
      addTo(hours, hour, spam === 1 ? [0, 1] : [1, 0]);
    }
    const last = found.at(-1);
    if (!last) return hours;
    after = last.id;
  }
}

function addTo(hours: Hours, hour: number, [submissions, spam]: [number, number]): void {
  const [before, spamBefore] = hours.get(hour) ?? [0, 0];
  hours.set(hour, [before + submissions, spamBefore + spam]);
}

async function write(
  runner: QueryRunner,
  accountId: number,
  formId: number,
  hours: Hours,
): Promise<void> {
  const days: Hours = new Map();
  for (const [hour, counts] of hours) addTo(days, hour - (hour % DAY_HOURS), counts);
  const rows = [
    ...[...hours].map(([hour, counts]) => [accountId, formId, 1, hour, ...counts]),
    ...[...days].map(([day, counts]) => [accountId, formId, DAY_HOURS, day, ...counts]),
  ];
  for (let from = 0; from < rows.length; from += WRITE_ROWS) {
    const some = rows.slice(from, from + WRITE_ROWS);
    const values = some.map((row) => `(${row.join(',')})`).join(',');
    await runner.query(
      `INSERT INTO submission_counts (account_id, form_id, length, begins, submissions, spam) VALUES ${values}`,
    );
  }
}
