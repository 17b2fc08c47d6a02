import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** What is counted of deliveries, by the columns of `submission_counts`. */
const COUNTERS = [
  'mails_delivered',
  'mails_late',
  'mails_failed',
  'calls_delivered',
  'calls_late',
  'calls_failed',
];

/**
 * Creates the counts of deliveries and the queue that leads to them. They begin with what ends from then on: the log
 * of deliveries goes back for days only, and to look through it would take long.
 */
export class CountDeliveries1766463200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, varchar } = columns(runner);
    const { type: integer } = int('amount');
    // Written out, since TypeORM would copy the whole table on SQLite.
    if (!(await runner.hasColumn('deliveries', 'fate'))) {
      await runner.query('ALTER TABLE deliveries ADD COLUMN fate varchar(10) NULL');
    }
    for (const name of COUNTERS) {
      if (await runner.hasColumn('submission_counts', name)) continue;
      await runner.query(
        `ALTER TABLE submission_counts ADD COLUMN ${name} ${integer} NOT NULL DEFAULT 0`,
      );
    }
    await runner.createTable(
      new Table({
        name: 'counter_changes',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          int('hour'),
          varchar('counter', 16),
          int('amount'),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('counter_changes');
    for (const name of COUNTERS) {
      await runner.query(`ALTER TABLE submission_counts DROP COLUMN ${name}`);
    }
    await runner.query('ALTER TABLE deliveries DROP COLUMN fate');
  }
}
