import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what ties people to what an OpenID Connect provider knows them by. */
export class CreateIdentities1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'identities',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('person_id'),
          varchar('issuer', 255),
          varchar('subject', 255),
          varchar('email', 255, { nullable: true }),
          datetime('created_at'),
        ],
        indices: [
          { name: 'uq_identities_subject', columnNames: ['issuer', 'subject'], isUnique: true },
          { name: 'ix_identities_person', columnNames: ['person_id', 'id'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('identities');
  }
}
