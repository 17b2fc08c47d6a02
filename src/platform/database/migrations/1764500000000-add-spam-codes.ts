import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds a code for why a submission is spam; before, there was only the sentence for its owner. */
export class AddSpamCodes1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { varchar } = columns(runner);
    const code = new TableColumn(varchar('spam_code', 32, { nullable: true }));
    await runner.addColumn('submissions', code);
    await runner.query(
      `UPDATE submissions SET spam_code = CASE
        WHEN spam_reason LIKE 'The honeypot field %' THEN 'honeypot'
        WHEN spam_reason LIKE 'The browser did not say %' THEN 'origin_unknown'
        WHEN spam_reason LIKE 'It was sent from %' THEN 'origin_not_allowed'
        WHEN spam_reason = 'It was marked as spam by hand.' THEN 'by_hand'
        END WHERE spam_reason IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('submissions', 'spam_code');
  }
}
