import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates how forms are watched, and what people were told of them. */
export class CreateFormWatches1766700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'form_watches',
        columns: [
          { ...int('form_id'), isPrimary: true },
          int('account_id'),
          { ...varchar('level', 8), default: "'normal'" },
          { ...varchar('state', 16), default: "'learning'" },
          datetime('next_at'),
          int('last_hour', { nullable: true }),
          datetime('silent_from', { nullable: true }),
          datetime('watched_from', { nullable: true }),
          datetime('learnt_at', { nullable: true }),
          type('rhythm', 'text', { nullable: true }),
          type('signs', 'text', { nullable: true }),
        ],
        indices: [
          { name: 'ix_form_watches_state', columnNames: ['state', 'silent_from'] },
          { name: 'ix_form_watches_due', columnNames: ['next_at'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'form_alarms',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...varchar('code', 32), isPrimary: true },
          int('account_id'),
          type('message', 'text'),
          datetime('found_at'),
          datetime('told_at', { nullable: true }),
          datetime('over_at', { nullable: true }),
          datetime('ended_at', { nullable: true }),
        ],
        indices: [{ name: 'ix_form_alarms_account', columnNames: ['account_id', 'told_at'] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'alarm_notices',
        columns: [
          { ...binary('delivery_id', 16), isPrimary: true },
          int('form_id'),
          type('content', 'mediumtext'),
        ],
        indices: [{ name: 'ix_alarm_notices_form', columnNames: ['form_id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('alarm_notices');
    await runner.dropTable('form_alarms');
    await runner.dropTable('form_watches');
  }
}
