import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds whose membership an owner looks through. */
export class AddViewsToSessions1766010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('sessions', 'viewed_membership_id')) return;
    const { int } = columns(runner);
    const viewed = new TableColumn(int('viewed_membership_id', { nullable: true }));
    await runner.addColumn('sessions', viewed);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('sessions', 'viewed_membership_id');
  }
}
