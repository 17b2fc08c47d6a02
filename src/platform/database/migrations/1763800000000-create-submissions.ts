import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

export class CreateSubmissions1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, flag, varchar, type } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submissions',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          flag('trash'),
          flag('spam'),
          varchar('spam_reason', 255, { nullable: true }),
          datetime('created_at'),
          type('payload', 'mediumtext'),
          type('search_text', 'mediumtext'),
          varchar('origin', 255, { nullable: true }),
          type('referer', 'text', { nullable: true }),
          varchar('user_agent', 512, { nullable: true }),
          varchar('address', 45, { nullable: true }),
        ],
        indices: [
          { name: 'ix_submissions_list', columnNames: ['form_id', 'trash', 'spam', 'id'] },
          // Serves lists by time over several folders at once.
          { name: 'ix_submissions_time', columnNames: ['form_id', 'id', 'trash', 'spam'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'submission_batches',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          type('submission_ids', 'mediumblob'),
          type('digests', 'mediumblob', { nullable: true }),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'submission_values',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...binary('digest', 8), isPrimary: true },
          { ...binary('submission_id', 16), isPrimary: true },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'files',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          binary('submission_id', 16),
          int('position'),
          type('field', 'text'),
          type('name', 'text'),
          varchar('media_type', 255),
          int('size'),
          binary('sha256', 32),
        ],
        indices: [{ name: 'ix_files_submission', columnNames: ['submission_id', 'position'] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'idempotency_keys',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...binary('key_hash', 32), isPrimary: true },
          binary('content_hash', 32),
          type('answer', 'mediumtext'),
          datetime('created_at'),
        ],
        indices: [{ name: 'ix_idempotency_keys_created', columnNames: ['created_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'idempotency_keys',
      'files',
      'submission_values',
      'submission_batches',
      'submissions',
    ]) {
      await runner.dropTable(table);
    }
  }
}
