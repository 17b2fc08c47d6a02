import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates which forms a destination of all forms leaves out. */
export class CreateDestinationExclusions1766605000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'destination_exclusions',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...binary('destination_id', 16), isPrimary: true },
        ],
        indices: [
          { name: 'ix_destination_exclusions_destination', columnNames: ['destination_id'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('destination_exclusions');
  }
}
