import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

export class CreateAccountsFormsAndClients1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await useUtf8(runner);
    const { binary, datetime, flag, id, int, type, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.createTable(
      new Table({
        name: 'accounts',
        columns: [
          id('id'),
          varchar('name', 255),
          varchar('email', 255, nullable),
          datetime('created_at'),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'tokens',
        columns: [
          id('id'),
          int('account_id'),
          int('client_id', nullable),
          varchar('name', 255),
          binary('digest', 32),
          varchar('rights', 255, nullable),
          datetime('created_at'),
          datetime('expires_at', nullable),
          datetime('last_used_at', nullable),
        ],
        indices: [
          { name: 'ix_tokens_account', columnNames: ['account_id'] },
          { name: 'uq_tokens_digest', columnNames: ['digest'], isUnique: true },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'forms',
        columns: [
          id('id'),
          int('account_id'),
          varchar('identifier', 16),
          varchar('name', 255),
          type('submission_text', 'text'),
          type('webhook_url', 'text', nullable),
          type('redirect_url', 'text', nullable),
          flag('notify_submitter', nullable),
          varchar('notify_submitter_from', 255, nullable),
          varchar('notify_submitter_from_name', 255, nullable),
          varchar('notify_submitter_subject', 255, nullable),
          type('notify_submitter_body', 'text', nullable),
          flag('notify_owner_on_submission'),
          type('notify_owner_emails', 'text', nullable),
          flag('show_submitted_values'),
          varchar('bg_color', 32, nullable),
          varchar('text_color', 32, nullable),
          varchar('link_color', 32, nullable),
          type('whitelisted_domains', 'text', nullable),
          { ...int('submission_count'), default: '0' },
          int('retention_days', nullable),
          datetime('created_at'),
          datetime('deleted_at', nullable),
          datetime('purged_at', nullable),
        ],
        indices: [
          { name: 'uq_forms_identifier', columnNames: ['identifier'], isUnique: true },
          { name: 'ix_forms_account', columnNames: ['account_id', 'id'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'form_grants',
        columns: [
          { ...int('client_id'), isPrimary: true },
          { ...int('form_id'), isPrimary: true },
        ],
        indices: [{ name: 'ix_form_grants_form', columnNames: ['form_id'] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'clients',
        columns: [
          id('id'),
          int('account_id'),
          varchar('name', 255),
          varchar('email', 255),
          varchar('email_key', 255),
          flag('can_create_forms'),
        ],
        indices: [
          { name: 'uq_clients_email', columnNames: ['account_id', 'email_key'], isUnique: true },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['clients', 'form_grants', 'forms', 'tokens', 'accounts']) {
      await runner.dropTable(table);
    }
  }
}

/** Sets the character set and a collation that compares byte by byte, as SQLite does. */
async function useUtf8(runner: QueryRunner): Promise<void> {
  if (runner.dataSource.options.type === 'better-sqlite3') return;
  const name = await runner.getCurrentDatabase();
  await runner.query(
    `ALTER DATABASE ${runner.dataSource.driver.escape(String(name))} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
}
