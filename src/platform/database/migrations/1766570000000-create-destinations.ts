import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const INDEX = 'ix_deliveries_destination';
const FLAGS = ['of_account', 'asked_for'];

/**
 * Creates the places where submissions go, and adds to a delivery which of them it is for, whether that is one of the account,
 * and whether it goes out although its submission is held or spam.
 */
export class CreateDestinations1766570000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, flag, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'destinations',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('account_id'),
          int('form_id', { nullable: true }),
          int('client_id', { nullable: true }),
          int('position'),
          varchar('name', 100),
          varchar('kind', 16),
          varchar('host', 255, { nullable: true }),
          type('settings', 'mediumtext'),
          type('sealed', 'mediumtext', { nullable: true }),
          varchar('matching', 3),
          type('conditions', 'mediumtext'),
          datetime('paused_at', { nullable: true }),
          datetime('failing_since', { nullable: true }),
          datetime('created_at'),
        ],
        indices: [
          { name: 'ix_destinations_account', columnNames: ['account_id', 'form_id'] },
          { name: 'ix_destinations_form', columnNames: ['form_id'] },
          { name: 'ix_destinations_client', columnNames: ['client_id'] },
        ],
      }),
      true,
    );
    // Written out, since TypeORM would copy the whole table on SQLite.
    if (!(await runner.hasColumn('deliveries', 'destination_id'))) {
      await runner.query('ALTER TABLE `deliveries` ADD COLUMN `destination_id` binary(16) NULL');
    }
    for (const name of FLAGS) {
      if (await runner.hasColumn('deliveries', name)) continue;
      const boolean = flag(name).type;
      await runner.query(
        `ALTER TABLE \`deliveries\` ADD COLUMN \`${name}\` ${boolean} NOT NULL DEFAULT 0`,
      );
    }
    if (!(await runner.hasColumn('submissions', 'language'))) {
      await runner.query('ALTER TABLE `submissions` ADD COLUMN `language` varchar(35) NULL');
    }
    const table = await runner.getTable('deliveries');
    if (table?.indices.some(({ name }) => name === INDEX)) return;
    await runner.createIndex(
      'deliveries',
      new TableIndex({ name: INDEX, columnNames: ['destination_id', 'id'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('deliveries', INDEX);
    for (const name of ['destination_id', ...FLAGS]) {
      await runner.query(`ALTER TABLE \`deliveries\` DROP COLUMN \`${name}\``);
    }
    await runner.query('ALTER TABLE `submissions` DROP COLUMN `language`');
    await runner.dropTable('destinations');
  }
}
