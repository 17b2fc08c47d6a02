import { Table, TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds second factors, and the time of a session's last proof. */
export class AddSecondFactors1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.addColumns('people', [
      new TableColumn(varchar('totp_secret', 32, nullable)),
      new TableColumn(int('totp_step', nullable)),
    ]);
    await runner.addColumn('sessions', new TableColumn(datetime('proved_at', nullable)));
    await runner.query('UPDATE sessions SET proved_at = created_at');
    await runner.createTable(
      new Table({
        name: 'recovery_codes',
        columns: [{ ...binary('digest', 32), isPrimary: true }, int('person_id')],
        indices: [{ name: 'ix_recovery_codes_person', columnNames: ['person_id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('recovery_codes');
    await runner.dropColumn('sessions', 'proved_at');
    await runner.dropColumns('people', ['totp_secret', 'totp_step']);
  }
}
