import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the lists of what forms block and allow. */
export class CreateSpamLists1766410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'spam_lists',
        columns: [
          { ...int('form_id'), isPrimary: true },
          type('blocked', 'mediumtext'),
          type('allowed', 'mediumtext'),
          binary('digest', 8),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('spam_lists');
  }
}
