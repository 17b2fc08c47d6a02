import type { QueryRunner } from 'typeorm';
import { createTables, extendTables, Migration } from './columns.js';

/** Forms made by tokens of a client that are still there, as the audit log says. */
const MADE_BY_TOKEN = `
  SELECT entry.account_id AS accountId, entry.target_id AS identifier, token.client_id AS clientId
  FROM audit_entries entry
    INNER JOIN tokens token ON token.id = entry.actor_id AND token.account_id = entry.account_id
  WHERE entry.action = 'form.created' AND entry.actor_kind = 'token' AND token.client_id IS NOT NULL`;
/** Forms made by people who were of one client alone then, and are now. */
const MADE_BY_PERSON = `
  SELECT entry.account_id AS accountId, entry.target_id AS identifier, MAX(standing.client_key) AS clientId
  FROM audit_entries entry
    INNER JOIN memberships standing
      ON standing.person_id = entry.actor_id AND standing.account_id = entry.account_id
  WHERE entry.action = 'form.created' AND entry.actor_kind = 'person'
  GROUP BY entry.id, entry.account_id, entry.target_id, entry.at
  HAVING COUNT(*) = 1 AND MAX(standing.client_key) > 0 AND MAX(standing.created_at) <= entry.at`;

/** Brings the tables of 0.1.0 to 0.2.0. */
export class Release020 extends Migration {
  readonly name = 'CreateFailingRecipients1766495000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, {
      // Proofs of work that count no more.
      spent_solutions: `
        submission_id binary(16) key, nonce binary(16), expires_at datetime,
        uq_spent_solutions_nonce (nonce), ix_spent_solutions_end (expires_at)`,
      // Complaints of captcha providers about the keys of forms.
      captcha_troubles: `form_id int key, code varchar(40), last_at datetime`,
      // Texts for searches. Upkeep moves those of older submissions: here it would take too long.
      submission_texts: `form_id int key, id binary(16) key, text blob null, without rowid`,
      text_progress: `id int key, moved_below binary(16)`,
      // Let a search pass over texts; upkeep fills them.
      text_blocks: `
        form_id int key, block int key, first_id binary(16), last_id binary(16), ids mediumblob`,
      // Counts of deliveries begin now: the log of older ones goes back for days only.
      counter_changes: `id binary(16) key, form_id int, hour int, counter varchar(16), amount int`,
      // Open submissions, and who reads them.
      presences: `
        person_id int key, client_id int null, submission_id binary(16), open_until datetime,
        ix_presences_submission (submission_id)`,
      // Counts of pages, origins, countries and values begin now: reading all would take hours.
      facet_values: `
        account_id int key, form_id int key, facet int key, digest binary(8) key,
        name varchar(64), text varchar(255) null, seen int, going int,
        ix_facet_values_going (going)`,
      facet_counts: `
        account_id int key, form_id int key, facet int key, digest binary(8) key, length int key,
        begins int key, submissions int`,
      // Changes of submissions by people.
      submission_acts: `
        submission_id binary(16) key, id binary(16) key, form_id int, kind varchar(16),
        detail varchar(64) null, actor_kind varchar(16), actor_id int null,
        actor_name varchar(255), client_id int null, seen_by int null,
        uq_submission_acts_seen (submission_id, seen_by)`,
      // Addresses that take no emails of an account.
      failing_recipients: `
        account_id int key, email_hash binary(32) key, email varchar(255), delivery_id binary(16),
        form_id int, submission_id binary(16) null, kind varchar(10), reason text, since datetime,
        ix_failing_recipients_form (form_id), ix_failing_recipients_submission (submission_id)`,
      text_postings: `form_id int key, part int key, block int key, lists blob, without rowid`,
    });
    await extendTables(runner, {
      forms: `
        preview_fields mediumtext null, erasures int default 0, made_by_client_id int null,
        ix_forms_purge (purged_at, deleted_at)`,
      clients: `ix_clients_account (account_id, id)`,
      submissions: `
        country varchar(2) null, facets int null, account_id int default 0,
        ix_submissions_account (account_id, trash, spam, done, id, form_id)`,
      files: `ix_files_form (form_id, submission_id)`,
      deliveries: `fate varchar(10) null`,
      audit_entries: `
        ix_audit_entries_action (account_id, action, id),
        ix_audit_entries_actor_kind (account_id, actor_kind, id),
        ix_audit_entries_actor (account_id, actor_id, id),
        ix_audit_entries_target_kind (account_id, target_kind, id),
        ix_audit_entries_target (account_id, target_id, id)`,
      submission_notes: `
        mentions text null, removed_at datetime null,
        ix_submission_notes_removed (removed_at)`,
      submission_counts: `
        mails_delivered int default 0, mails_late int default 0, mails_failed int default 0,
        calls_delivered int default 0, calls_late int default 0, calls_failed int default 0`,
      bulk_jobs: `
        export_form_id int null, export_layout mediumtext null, file_id binary(16) null,
        file_bytes bigint null, erasures int default 0,
        ix_bulk_jobs_export (export_form_id)`,
      submission_verdicts: `
        judged varchar(8) null, held_until datetime null,
        ix_submission_verdicts_hold (held_until)`,
    });
    await nameMakers(runner);
  }
}

/**
 * Names the client that made a form. Forms whose maker is not certain are the account's. Tokens that could change forms
 * could create them, and still can.
 */
async function nameMakers(runner: QueryRunner): Promise<void> {
  await runner.query(
    `UPDATE tokens SET rights = REPLACE(rights, 'forms:write', 'forms:write,forms:create')
     WHERE rights LIKE '%forms:write%' AND rights NOT LIKE '%forms:create%'`,
  );
  for (const made of [MADE_BY_TOKEN, MADE_BY_PERSON]) {
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
