import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** By tokens of a client that are still there, as the audit log says. */
const BY_TOKEN = `
  SELECT entry.account_id AS accountId, entry.target_id AS identifier, token.client_id AS clientId
  FROM audit_entries entry
    INNER JOIN tokens token ON token.id = entry.actor_id AND token.account_id = entry.account_id
  WHERE entry.action = 'form.created' AND entry.actor_kind = 'token' AND token.client_id IS NOT NULL`;
/** By people who were of that client alone then, and are now. */
const BY_PERSON = `
  SELECT entry.account_id AS accountId, entry.target_id AS identifier, MAX(standing.client_key) AS clientId
  FROM audit_entries entry
    INNER JOIN memberships standing
      ON standing.person_id = entry.actor_id AND standing.account_id = entry.account_id
  WHERE entry.action = 'form.created' AND entry.actor_kind = 'person'
  GROUP BY entry.id, entry.account_id, entry.target_id, entry.at
  HAVING COUNT(*) = 1 AND MAX(standing.client_key) > 0 AND MAX(standing.created_at) <= entry.at`;

/**
 * Adds which client made a form. Forms whose maker is not certain are the account's. Tokens that might change forms
 * might create them, and still may.
 */
export class SayWhichClientMadeAForm1766475000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('forms', 'made_by_client_id')) return;
    await runner.query(
      `UPDATE tokens SET rights = REPLACE(rights, 'forms:write', 'forms:write,forms:create')
       WHERE rights LIKE '%forms:write%' AND rights NOT LIKE '%forms:create%'`,
    );
    const { type } = columns(runner).int('made_by_client_id');
    // Written out, since TypeORM would copy the whole table on SQLite.
    await runner.query(`ALTER TABLE \`forms\` ADD COLUMN made_by_client_id ${type} NULL`);
    for (const made of [BY_TOKEN, BY_PERSON]) {
      const rows = (await runner.query(made)) as Record<
        'accountId' | 'identifier' | 'clientId',
        unknown
      >[];
      for (const { accountId, identifier, clientId } of rows) {
        await runner.query(
          'UPDATE `forms` SET made_by_client_id = ? WHERE identifier = ? AND account_id = ?',
          [Number(clientId), identifier, Number(accountId)],
        );
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `forms` DROP COLUMN made_by_client_id');
    await runner.query(
      "UPDATE tokens SET rights = REPLACE(rights, ',forms:create', '') WHERE rights LIKE '%,forms:create%'",
    );
  }
}
