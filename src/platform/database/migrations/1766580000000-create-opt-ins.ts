import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates which submissions wait for their visitors, and adds to forms what their mails to visitors are. */
export class CreateOptIns1766580000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, flag, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'opt_ins',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          int('form_id'),
          varchar('state', 10),
          varchar('email', 255),
          datetime('asked_at'),
          datetime('confirmed_at', { nullable: true }),
          flag('by_hand'),
        ],
        indices: [{ name: 'ix_opt_ins_form', columnNames: ['form_id', 'state', 'submission_id'] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'visitor_attachments',
        columns: [
          { ...int('form_id'), isPrimary: true },
          varchar('name', 255),
          varchar('media_type', 100),
          int('size'),
          type('content', 'mediumblob'),
        ],
      }),
      true,
    );
    if (await runner.hasColumn('forms', 'visitor_mail')) return;
    const long = type('visitor_mail', 'mediumtext').type;
    // Written out, since TypeORM would copy the whole table on SQLite.
    await runner.query(`ALTER TABLE \`forms\` ADD COLUMN visitor_mail ${long} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `forms` DROP COLUMN visitor_mail');
    await runner.dropTable('visitor_attachments');
    await runner.dropTable('opt_ins');
  }
}
