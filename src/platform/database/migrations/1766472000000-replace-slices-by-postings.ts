import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Replaces the slices of blocks of texts by postings; upkeep makes all blocks anew. */
export class ReplaceSlicesByPostings1766472000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM text_blocks');
    await runner.dropTable('text_slices', true);
    await runner.createTable(tableOf(runner, 'text_postings', 'part', 'lists'), true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM text_blocks');
    await runner.dropTable('text_postings');
    await runner.createTable(tableOf(runner, 'text_slices', 'slice', 'bits'), true);
  }
}

function tableOf(runner: QueryRunner, name: string, number: string, bytes: string): Table {
  const { int, type } = columns(runner);
  return new Table({
    name,
    columns: [
      { ...int('form_id'), isPrimary: true },
      { ...int(number), isPrimary: true },
      { ...int('block'), isPrimary: true },
      type(bytes, 'blob'),
    ],
    withoutRowid: true,
  });
}
