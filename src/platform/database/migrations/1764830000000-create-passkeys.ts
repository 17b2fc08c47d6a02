import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Keeps the passkeys of people, and which challenges were answered. */
export class CreatePasskeys1764830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'passkeys',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('person_id'),
          varchar('name', 255),
          binary('digest', 32),
          type('credential_id', 'blob'),
          type('public_key', 'blob'),
          binary('user_handle', 16),
          type('uses', 'bigint'),
          varchar('transports', 128),
          datetime('created_at'),
          datetime('last_used_at', { nullable: true }),
        ],
        indices: [
          { name: 'uq_passkeys_digest', columnNames: ['digest'], isUnique: true },
          { name: 'ix_passkeys_person', columnNames: ['person_id', 'id'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'used_challenges',
        columns: [{ ...binary('digest', 32), isPrimary: true }, datetime('expires_at')],
        indices: [{ name: 'ix_used_challenges_expiry', columnNames: ['expires_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('used_challenges');
    await runner.dropTable('passkeys');
  }
}
