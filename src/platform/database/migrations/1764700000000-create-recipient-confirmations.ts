import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { insertStatement, runStatements, sqlDate } from '../statement.js';
import { columns } from './columns.js';

const PORTION_ROWS = 500;

interface FormRow {
  id: number;
  account_id: number;
  notify_owner_emails: string | null;
}

/** Creates the addresses that confirmed owner mails. Addresses that forms name already count as confirmed. */
export class CreateRecipientConfirmations1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'recipient_confirmations',
        columns: [
          { ...int('account_id'), isPrimary: true },
          { ...varchar('email_key', 255), isPrimary: true },
          datetime('confirmed_at', { nullable: true }),
          datetime('asked_at', { nullable: true }),
        ],
      }),
      true,
    );
    // An interrupted run may have left rows: servers commit each statement that creates a table.
    await runner.query('DELETE FROM recipient_confirmations');
    const now = sqlDate(new Date());
    const known = new Set<string>();
    for (let after = 0; ;) {
      const forms = (await runner.query(
        `SELECT id, account_id, notify_owner_emails FROM forms WHERE id > ? ORDER BY id LIMIT ${PORTION_ROWS}`,
        [after],
      )) as FormRow[];
      const last = forms.at(-1);
      if (!last) return;
      after = last.id;
      const rows = forms.flatMap(({ account_id: account, notify_owner_emails: emails }) =>
        (emails ?? '').split(',').map((email) => [account, email.toLowerCase(), now, null]),
      );
      for (const row of rows) {
        const key = row.slice(0, 2).join(' ');
        if (row[1] === '' || known.has(key)) continue;
        known.add(key);
        const names = ['account_id', 'email_key', 'confirmed_at', 'asked_at'];
        await runStatements(
          runner.manager,
          insertStatement('recipient_confirmations', names, [row]),
        );
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('recipient_confirmations');
  }
}
