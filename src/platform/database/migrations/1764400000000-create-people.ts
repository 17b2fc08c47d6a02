import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates people, their ways to sign in, and the audit log. */
export class CreatePeople1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, flag, id, int, type, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.createTable(
      new Table({
        name: 'people',
        columns: [
          id('id'),
          varchar('email', 255),
          varchar('email_key', 255),
          varchar('name', 255),
          varchar('time_zone', 64),
          varchar('password_hash', 255, nullable),
          flag('is_operator'),
          datetime('verified_at', nullable),
          datetime('created_at'),
          datetime('disabled_at', nullable),
        ],
        indices: [{ name: 'uq_people_email', columnNames: ['email_key'], isUnique: true }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'memberships',
        columns: [
          id('id'),
          int('person_id'),
          int('account_id'),
          int('client_key'),
          varchar('role', 16, nullable),
          varchar('actions', 64, nullable),
          datetime('created_at'),
          datetime('disabled_at', nullable),
        ],
        indices: [
          {
            name: 'uq_memberships',
            columnNames: ['person_id', 'account_id', 'client_key'],
            isUnique: true,
          },
          { name: 'ix_memberships_account', columnNames: ['account_id', 'id'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'sessions',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          binary('digest', 32),
          int('person_id'),
          int('membership_id', nullable),
          varchar('way', 16),
          flag('is_shared_device'),
          varchar('address', 45),
          varchar('user_agent', 255),
          datetime('created_at'),
          datetime('last_seen_at'),
          datetime('expires_at'),
        ],
        indices: [
          { name: 'uq_sessions_digest', columnNames: ['digest'], isUnique: true },
          { name: 'ix_sessions_person', columnNames: ['person_id', 'id'] },
          { name: 'ix_sessions_expiry', columnNames: ['expires_at'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'sign_in_links',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          varchar('kind', 16),
          binary('digest', 32),
          varchar('email', 255),
          varchar('name', 255),
          int('account_id', nullable),
          int('client_id', nullable),
          varchar('role', 16, nullable),
          varchar('actions', 64, nullable),
          flag('is_mailed'),
          datetime('created_at'),
          datetime('expires_at'),
        ],
        indices: [
          { name: 'uq_sign_in_links_digest', columnNames: ['digest'], isUnique: true },
          { name: 'ix_sign_in_links_account', columnNames: ['account_id', 'id'] },
          { name: 'ix_sign_in_links_expiry', columnNames: ['expires_at'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'setup_codes',
        columns: [
          { ...int('id'), isPrimary: true },
          binary('digest', 32),
          int('account_id'),
          datetime('created_at'),
          datetime('expires_at', nullable),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'audit_entries',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          datetime('at'),
          int('account_id', nullable),
          varchar('actor_kind', 16),
          int('actor_id', nullable),
          varchar('actor_name', 255),
          varchar('action', 64),
          varchar('target_kind', 32),
          varchar('target_id', 64, nullable),
          varchar('target_name', 255, nullable),
          type('details', 'text', nullable),
          varchar('address', 45, nullable),
        ],
        indices: [{ name: 'ix_audit_entries_account', columnNames: ['account_id', 'id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['audit_entries', 'setup_codes', 'sign_in_links', 'sessions'];
    for (const table of [...tables, 'memberships', 'people']) await runner.dropTable(table);
  }
}
