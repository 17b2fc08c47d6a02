import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what lets a search pass over texts; upkeep fills it. */
export class CreateTextBlocks1766460100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'text_blocks',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...int('block'), isPrimary: true },
          binary('first_id', 16),
          binary('last_id', 16),
          type('ids', 'mediumblob'),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'text_slices',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...int('slice'), isPrimary: true },
          { ...int('block'), isPrimary: true },
          type('bits', 'blob'),
        ],
        withoutRowid: true,
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['text_slices', 'text_blocks']) await runner.dropTable(table);
  }
}
