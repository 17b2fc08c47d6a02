import { Table, type MigrationInterface, type QueryRunner, type TableColumnOptions } from 'typeorm';

export class CreateAccountsFormsAndClients1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await useUtf8(runner);
    const text = (name: string, isNullable = true) => ({ name, type: 'text', isNullable });
    const varchar = (name: string, length: number, isNullable = false) => ({
      name,
      type: 'varchar',
      length: String(length),
      isNullable,
    });
    const moment = (name: string, isNullable = false) => ({
      name,
      type: 'datetime',
      precision: 3,
      isNullable,
    });
    const flag = (name: string, isNullable = false) => ({
      name,
      type: runner.dataSource.driver.normalizeType({ type: 'boolean' }),
      isNullable,
    });
    const int = (name: string, isNullable = false) => ({ name, type: intType(runner), isNullable });

    await runner.createTable(
      new Table({
        name: 'accounts',
        columns: [
          id(runner),
          varchar('name', 255),
          varchar('email', 255, true),
          moment('created_at'),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'tokens',
        columns: [
          id(runner),
          int('account_id'),
          int('client_id', true),
          varchar('name', 255),
          { name: 'digest', type: 'binary', length: '32' },
          varchar('rights', 255, true),
          moment('created_at'),
          moment('expires_at', true),
          moment('last_used_at', true),
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
          id(runner),
          int('account_id'),
          varchar('identifier', 16),
          varchar('name', 255),
          text('submission_text', false),
          text('webhook_url'),
          text('redirect_url'),
          flag('notify_submitter', true),
          varchar('notify_submitter_from', 255, true),
          varchar('notify_submitter_from_name', 255, true),
          varchar('notify_submitter_subject', 255, true),
          text('notify_submitter_body'),
          flag('notify_owner_on_submission'),
          text('notify_owner_emails'),
          flag('show_submitted_values'),
          varchar('bg_color', 32, true),
          varchar('text_color', 32, true),
          varchar('link_color', 32, true),
          text('whitelisted_domains'),
          { ...int('submission_count'), default: '0' },
          moment('created_at'),
          moment('updated_at'),
          moment('deleted_at', true),
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
          id(runner),
          int('account_id'),
          varchar('name', 255),
          varchar('email', 255),
          varchar('email_key', 255),
          flag('can_create_forms'),
          moment('created_at'),
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

/** Text of any language, compared byte by byte, as SQLite does. */
async function useUtf8(runner: QueryRunner): Promise<void> {
  if (runner.dataSource.options.type === 'better-sqlite3') return;
  const name = await runner.getCurrentDatabase();
  await runner.query(
    `ALTER DATABASE ${runner.dataSource.driver.escape(String(name))} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
}

function intType(runner: QueryRunner): string {
  return runner.dataSource.driver.normalizeType({ type: Number });
}

function id(runner: QueryRunner): TableColumnOptions {
  return {
    name: 'id',
    type: intType(runner),
    isPrimary: true,
    isGenerated: true,
    generationStrategy: 'increment',
  };
}
