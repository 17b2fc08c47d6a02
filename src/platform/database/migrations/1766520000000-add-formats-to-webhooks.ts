import { type MigrationInterface, type QueryRunner } from 'typeorm';

const NAMES = ['format', 'signature'];

/** Adds which body a webhook is sent, and how its calls are signed; those there were go on as before. */
export class AddFormatsToWebhooks1766520000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Written out, since TypeORM would copy the whole table on SQLite.
    for (const name of NAMES) {
      if (await runner.hasColumn('form_webhooks', name)) continue;
      await runner.query(
        `ALTER TABLE \`form_webhooks\` ADD COLUMN \`${name}\` varchar(32) NOT NULL DEFAULT 'standard'`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of NAMES) {
      await runner.query(`ALTER TABLE \`form_webhooks\` DROP COLUMN \`${name}\``);
    }
  }
}
