import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds whether the pages of a person do without keys. */
export class AddKeysToPeople1766420000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('people', 'keys_off')) return;
    const { flag } = columns(runner);
    await runner.addColumn('people', new TableColumn({ ...flag('keys_off'), default: '0' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('people', 'keys_off');
  }
}
