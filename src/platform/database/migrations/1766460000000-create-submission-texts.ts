import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/**
 * Creates the texts that a search reads. Those of older submissions are moved by upkeep: here it would take as
 * long as there are submissions.
 */
export class CreateSubmissionTexts1766460000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submission_texts',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...binary('id', 16), isPrimary: true },
          type('text', 'blob', { nullable: true }),
        ],
        withoutRowid: true,
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'text_progress',
        columns: [{ ...int('id'), isPrimary: true }, binary('moved_below', 16)],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['text_progress', 'submission_texts']) await runner.dropTable(table);
  }
}
