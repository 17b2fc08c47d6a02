import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the ids of other providers that lead to forms. */
export class CreateFormAliases1766500100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, id, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'form_aliases',
        columns: [
          id('id'),
          int('account_id'),
          int('form_id', { nullable: true }),
          varchar('provider', 16),
          varchar('value', 254),
          datetime('created_at'),
          datetime('last_used_at', { nullable: true }),
          type('last_page', 'text', { nullable: true }),
        ],
        indices: [
          new TableIndex({
            name: 'uq_form_aliases_value',
            columnNames: ['value'],
            isUnique: true,
          }),
          new TableIndex({ name: 'ix_form_aliases_form', columnNames: ['form_id', 'id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('form_aliases');
  }
}
