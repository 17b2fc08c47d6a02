import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what the spam filter learns from marks. */
export class CreateSpamModels1766310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, flag, id, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'spam_models',
        columns: [
          id('id'),
          int('account_id', { nullable: true }),
          int('form_id'),
          int('spam'),
          int('ham'),
        ],
        indices: [
          { name: 'uq_spam_models_form', columnNames: ['account_id', 'form_id'], isUnique: true },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'spam_words',
        columns: [
          { ...int('model_id'), isPrimary: true },
          { ...binary('digest', 8), isPrimary: true },
          int('spam'),
          int('ham'),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'spam_lessons',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          int('account_id'),
          int('form_id'),
          varchar('said', 4, { nullable: true }),
          flag('pending'),
          int('model_id', { nullable: true }),
          varchar('taught', 4, { nullable: true }),
          type('words', 'blob', { nullable: true }),
        ],
        indices: [
          { name: 'ix_spam_lessons_pending', columnNames: ['pending', 'submission_id'] },
          {
            name: 'ix_spam_lessons_account',
            columnNames: ['account_id', 'model_id', 'taught', 'submission_id'],
          },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['spam_lessons', 'spam_words', 'spam_models'])
      await runner.dropTable(table);
  }
}
