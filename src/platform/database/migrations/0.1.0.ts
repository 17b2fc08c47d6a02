import type { QueryRunner } from 'typeorm';
import { createTables, Migration } from './columns.js';

/** Creates the tables of 0.1.0. */
export class Release010 extends Migration {
  readonly name = 'AddKeysToPeople1766420000000';

  async up(runner: QueryRunner): Promise<void> {
    await useUtf8(runner);
    await createTables(runner, {
      accounts: `id serial, name varchar(255), email varchar(255) null, created_at datetime`,
      tokens: `
        id serial, account_id int, client_id int null, name varchar(255), digest binary(32),
        rights varchar(255) null, created_at datetime, expires_at datetime null,
        last_used_at datetime null,
        uq_tokens_digest (digest), ix_tokens_account (account_id)`,
      forms: `
        id serial, account_id int, identifier varchar(16), name varchar(255),
        submission_text text, webhook_url text null, redirect_url text null,
        notify_submitter boolean null, notify_submitter_from varchar(255) null,
        notify_submitter_from_name varchar(255) null, notify_submitter_subject varchar(255) null,
        notify_submitter_body text null, notify_owner_on_submission boolean,
        notify_owner_emails text null, show_submitted_values boolean, bg_color varchar(32) null,
        text_color varchar(32) null, link_color varchar(32) null, whitelisted_domains text null,
        submission_count int default 0, retention_days int null, created_at datetime,
        deleted_at datetime null, purged_at datetime null, field_labels mediumtext null,
        files_bytes bigint default 0, spam_settings mediumtext null,
        uq_forms_identifier (identifier), ix_forms_account (account_id, id)`,
      form_grants: `client_id int key, form_id int key, ix_form_grants_form (form_id)`,
      clients: `
        id serial, account_id int, name varchar(255), email varchar(255), email_key varchar(255),
        can_create_forms boolean,
        uq_clients_email (account_id, email_key)`,
      submissions: `
        id binary(16) key, form_id int, trash boolean, spam boolean,
        spam_reason varchar(255) null, created_at datetime, payload mediumtext,
        search_text mediumtext, origin varchar(255) null, referer text null,
        user_agent varchar(512) null, address varchar(45) null, spam_code varchar(32) null,
        done boolean default 0,
        ix_submissions_list (form_id, trash, spam, done, id),
        ix_submissions_time (form_id, id, trash, spam, done)`,
      // Changes that the index of values and the counts do not have yet.
      submission_batches: `
        id binary(16) key, submission_ids mediumblob, digests mediumblob null,
        removed_from int null, counts mediumtext null`,
      // Finds the submissions of a form that have a value, or come from a visitor.
      submission_values: `form_id int key, digest binary(8) key, submission_id binary(16) key`,
      files: `
        id binary(16) key, form_id int, submission_id binary(16), position int, field text,
        name text, media_type varchar(255), size int, sha256 binary(32),
        ix_files_submission (submission_id, position)`,
      idempotency_keys: `
        form_id int key, key_hash binary(32) key, content_hash binary(32), answer mediumtext,
        created_at datetime,
        ix_idempotency_keys_created (created_at)`,
      deliveries: `
        id binary(16) key, form_id int, submission_id binary(16) null, kind varchar(16),
        recipient text, recipient_key varchar(255), state varchar(10), scheduled_attempts int,
        next_attempt_at datetime null, lease_token binary(16) null, lease_until datetime null,
        settled_at datetime null,
        ix_deliveries_due (state, next_attempt_at), ix_deliveries_submission (submission_id),
        ix_deliveries_form (form_id, kind, state, id),
        ix_deliveries_recipient (recipient_key, kind, state, id)`,
      // Attempts of deliveries.
      attempts: `
        id binary(16) key, delivery_id binary(16), at datetime, duration_ms int,
        cause varchar(10), outcome varchar(32), code int null, answer text null,
        ix_attempts_delivery (delivery_id, id)`,
      form_webhooks: `
        form_id int key, secret varchar(128), previous_secret varchar(128) null,
        previous_secret_until datetime null, failing_since datetime null,
        disabled_at datetime null`,
      // The key of signed links.
      signing_keys: `id int key, secret binary(32)`,
      rate_counts: `
        id binary(16) key, requests int, ends_at datetime,
        ix_rate_counts_end (ends_at)`,
      people: `
        id serial, email varchar(255), email_key varchar(255), name varchar(255),
        time_zone varchar(64), password_hash varchar(255) null, is_operator boolean,
        verified_at datetime null, created_at datetime, disabled_at datetime null,
        totp_secret varchar(32) null, totp_step int null, keys_off boolean default 0,
        uq_people_email (email_key)`,
      memberships: `
        id serial, person_id int, account_id int, client_key int, role varchar(16) null,
        actions varchar(64) null, created_at datetime, disabled_at datetime null,
        uq_memberships (person_id, account_id, client_key),
        ix_memberships_account (account_id, id)`,
      sessions: `
        id binary(16) key, digest binary(32), person_id int, membership_id int null,
        way varchar(16), is_shared_device boolean, address varchar(45), user_agent varchar(255),
        created_at datetime, last_seen_at datetime, expires_at datetime, proved_at datetime null,
        viewed_membership_id int null,
        uq_sessions_digest (digest), ix_sessions_person (person_id, id),
        ix_sessions_expiry (expires_at)`,
      // Links to sign in, confirm, invite.
      sign_in_links: `
        id binary(16) key, kind varchar(16), digest binary(32), email varchar(255),
        name varchar(255), account_id int null, client_id int null, role varchar(16) null,
        actions varchar(64) null, is_mailed boolean, created_at datetime, expires_at datetime,
        uq_sign_in_links_digest (digest), ix_sign_in_links_account (account_id, id),
        ix_sign_in_links_expiry (expires_at)`,
      setup_codes: `
        id int key, digest binary(32), account_id int, created_at datetime,
        expires_at datetime null`,
      audit_entries: `
        id binary(16) key, at datetime, account_id int null, actor_kind varchar(16),
        actor_id int null, actor_name varchar(255), action varchar(64), target_kind varchar(32),
        target_id varchar(64) null, target_name varchar(255) null, details text null,
        address varchar(45) null,
        ix_audit_entries_account (account_id, id)`,
      recovery_codes: `digest binary(32) key, person_id int, ix_recovery_codes_person (person_id)`,
      // Addresses that agreed to get the emails of an account, or were asked.
      recipient_confirmations: `
        account_id int key, email_key varchar(255) key, confirmed_at datetime null,
        asked_at datetime null`,
      // Marks such as a star; done, spam and trash are columns.
      submission_marks: `
        submission_id binary(16) key, mark varchar(64) key, form_id int, given_at datetime null,
        given_by varchar(255) null,
        ix_submission_marks_form (form_id, mark, submission_id)`,
      // Submissions that a reader has read: all up to one, with exceptions.
      read_positions: `form_id int key, reader varchar(32) key, read_up_to binary(16)`,
      read_exceptions: `
        form_id int key, reader varchar(32) key, submission_id binary(16) key,
        ix_read_exceptions_submission (submission_id)`,
      passkeys: `
        id binary(16) key, person_id int, name varchar(255), digest binary(32),
        credential_id blob, public_key blob, user_handle binary(16), uses bigint,
        transports varchar(128), created_at datetime, last_used_at datetime null,
        uq_passkeys_digest (digest), ix_passkeys_person (person_id, id)`,
      // Answered challenges of passkeys.
      used_challenges: `
        digest binary(32) key, expires_at datetime,
        ix_used_challenges_expiry (expires_at)`,
      // Accounts of people at OpenID Connect providers.
      identities: `
        id binary(16) key, person_id int, issuer varchar(255), subject varchar(255),
        email varchar(255) null, created_at datetime,
        uq_identities_subject (issuer, subject), ix_identities_person (person_id, id)`,
      // Looks of accounts.
      account_brands: `
        account_id int key, colour varchar(32) null, reply_to varchar(255) null,
        logo_digest binary(32) null, logo_type varchar(16) null, logo mediumblob null,
        ix_account_brands_logo (logo_digest)`,
      // Notes that people write for one another.
      submission_notes: `
        id binary(16) key, form_id int, submission_id binary(16), author_kind varchar(16),
        author_id int null, author_name varchar(255), text text,
        ix_submission_notes_submission (submission_id, id)`,
      // Submissions by hour and day; those of all forms of an account have the form 0.
      submission_counts: `
        account_id int key, form_id int key, length int key, begins int key, submissions int,
        spam int`,
      // Jobs that change all submissions of a filter.
      bulk_jobs: `
        id binary(16) key, account_id int, client_id int null, actor_kind varchar(16),
        actor_id int null, actor_name varchar(255), line text, form_ids mediumtext, changes text,
        up_to binary(16), position binary(16), state varchar(16), total int null, done int,
        changed int, error_code varchar(64) null, error_message text null,
        lease_token binary(16) null, lease_until datetime null, ended_at datetime null,
        ix_bulk_jobs_state (state, lease_until), ix_bulk_jobs_account (account_id, id),
        ix_bulk_jobs_ended (ended_at)`,
      // Reasons why submissions are spam or held.
      submission_verdicts: `
        submission_id binary(16) key, form_id int, band varchar(8), parts mediumtext,
        ix_submission_verdicts_form (form_id, band, submission_id)`,
      // Filters with names, and who gets emails about them.
      saved_views: `
        id binary(16) key, account_id int, client_id int null, owner varchar(32) null,
        name varchar(60), line varchar(255),
        ix_saved_views_place (account_id, client_id, owner)`,
      view_digests: `
        id binary(16) key, view_id binary(16), person_id int, account_id int, client_id int null,
        every varchar(8), next_at datetime, told_up_to binary(16), lease_token binary(16) null,
        lease_until datetime null,
        uq_view_digests (view_id, person_id), ix_view_digests_due (next_at)`,
      // News for other instances: something has changed.
      signals: `
        topic varchar(16) key, subject_id int key, given_at datetime,
        ix_signals_time (given_at)`,
      // Lessons of the spam filter from marks.
      spam_models: `
        id serial, account_id int null, form_id int, spam int, ham int,
        uq_spam_models_form (account_id, form_id)`,
      spam_words: `model_id int key, digest binary(8) key, spam int, ham int`,
      spam_lessons: `
        submission_id binary(16) key, account_id int, form_id int, said varchar(4) null,
        pending boolean, model_id int null, taught varchar(4) null, words blob null,
        ix_spam_lessons_pending (pending, submission_id),
        ix_spam_lessons_account (account_id, model_id, taught, submission_id)`,
      // Senders and words that forms block or allow.
      spam_lists: `form_id int key, blocked mediumtext, allowed mediumtext, digest binary(8)`,
    });
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
