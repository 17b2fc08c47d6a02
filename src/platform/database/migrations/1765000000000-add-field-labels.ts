import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds what owners call the fields of their forms. */
export class AddFieldLabels1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { type } = columns(runner);
    const labels = new TableColumn(type('field_labels', 'mediumtext', { nullable: true }));
    await runner.addColumn('forms', labels);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('forms', 'field_labels');
  }
}
