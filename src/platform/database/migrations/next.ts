import { hash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { createTables, extendTables, Migration } from './columns.js';

/**
 * Brings the tables of 0.2.0 to the next release. Databases have run it: add each further change below, as a class of its own
 * with a later time in its name.
 */
export class Since020 extends Migration {
  readonly name = 'CreateSubmissionRepeats1766761000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, {
      // Ids of other providers that lead to forms.
      form_aliases: `
        id serial, account_id int, form_id int null, provider varchar(16), value varchar(254),
        created_at datetime, last_used_at datetime null, last_page text null,
        uq_form_aliases_value (value), ix_form_aliases_form (form_id, id)`,
      // Imports from other services, and the submissions that each stored.
      imports: `
        id binary(16) key, account_id int, form_id int, client_id int null,
        actor_kind varchar(16), actor_id int null, actor_name varchar(255), provider varchar(32),
        options mediumtext, file_id binary(16) null, file_name varchar(255) null,
        file_bytes bigint, encoding varchar(16), state varchar(16), position int,
        read_bytes bigint, imported int, skipped int, broken int, broken_rows mediumtext,
        error_code varchar(64) null, error_message text null, lease_token binary(16) null,
        lease_until datetime null, ended_at datetime null, files_missing int default 0,
        missing_files mediumtext null, lost_leases int default 0, last_line int default 0,
        ix_imports_form (form_id, id), ix_imports_state (state, lease_until)`,
      import_portions: `
        import_id binary(16) key, position int key, form_id int, submission_ids blob,
        ix_import_portions_form (form_id)`,
      // Times of removal to the trash; a task adds those from before.
      trashed_submissions: `
        submission_id binary(16) key, form_id int, trashed_at datetime,
        ix_trashed_submissions_time (trashed_at)`,
      // Results of scans for viruses; older files have none.
      file_scans: `
        file_id binary(16) key, state varchar(16), virus varchar(255) null, due_at datetime null,
        unlocked_at datetime null,
        ix_file_scans_due (due_at)`,
      // Where submissions go.
      destinations: `
        id binary(16) key, account_id int, form_id int null, client_id int null, position int,
        name varchar(100), kind varchar(16), host varchar(255) null, settings mediumtext,
        sealed mediumtext null, matching varchar(3), conditions mediumtext,
        paused_at datetime null, failing_since datetime null, created_at datetime,
        ix_destinations_account (account_id, form_id), ix_destinations_form (form_id),
        ix_destinations_client (client_id)`,
      // Submissions that wait for their visitors.
      opt_ins: `
        submission_id binary(16) key, form_id int, state varchar(10), email varchar(255),
        asked_at datetime, confirmed_at datetime null, by_hand boolean,
        ix_opt_ins_form (form_id, state, submission_id)`,
      // Files in the emails to visitors.
      visitor_attachments: `
        form_id int key, name varchar(255), media_type varchar(100), size int, content mediumblob`,
      // Looks of clients, senders of their emails, and defaults of their new forms.
      client_brands: `
        client_id int key, name varchar(255) null, colour varchar(32) null,
        reply_to varchar(255) null, logo_digest binary(32) null, logo_type varchar(16) null,
        logo mediumblob null, from_name varchar(255) null, from_address varchar(255) null,
        smtp_host varchar(255) null, smtp_sealed mediumtext null, form_defaults mediumtext null,
        ix_client_brands_logo (logo_digest)`,
      client_hosts: `
        client_id int key, account_id int, host varchar(253), proven_host varchar(253) null,
        proof varchar(32), proven_at datetime null,
        uq_client_hosts_proven (proven_host)`,
      // Forms that a destination of all forms leaves out.
      destination_exclusions: `
        form_id int key, destination_id binary(16) key,
        ix_destination_exclusions_destination (destination_id)`,
      // Emails that go out within a digest.
      digest_entries: `
        delivery_id binary(16) key, digest_id binary(16),
        ix_digest_entries_digest (digest_id, delivery_id)`,
      // Recipients of the monthly report of a client.
      report_recipients: `
        id binary(16) key, account_id int, client_id int, email varchar(255), next_at datetime,
        tries int default 0, lease_token binary(16) null, lease_until datetime null,
        ix_report_recipients_account (account_id), ix_report_recipients_client (client_id),
        ix_report_recipients_due (next_at)`,
      // Rhythms of forms, alarms about them, and the emails about those.
      form_watches: `
        form_id int key, account_id int, level varchar(8) default 'normal',
        state varchar(16) default 'learning', next_at datetime, last_hour int null,
        silent_from datetime null, watched_from datetime null, learnt_at datetime null,
        rhythm text null, signs text null,
        ix_form_watches_state (state, silent_from), ix_form_watches_due (next_at)`,
      form_alarms: `
        form_id int key, code varchar(32) key, account_id int, message text, found_at datetime,
        told_at datetime null, over_at datetime null, ended_at datetime null,
        ix_form_alarms_account (account_id, told_at)`,
      alarm_notices: `
        delivery_id binary(16) key, form_id int, content mediumtext,
        ix_alarm_notices_form (form_id)`,
      // Test submissions: when the next one is due, and how the last one ended.
      form_canaries: `
        id binary(16) key, form_id int, account_id int, schedule varchar(8), page text null,
        next_at datetime, lease_token binary(16) null, lease_until datetime null,
        tries int default 0, ran_at datetime null, result mediumtext null,
        failed_since datetime null,
        uq_form_canaries_form (form_id), ix_form_canaries_due (next_at),
        ix_form_canaries_failing (failed_since)`,
      // Failing checks, and when operators were told.
      operator_alarms: `
        check_name varchar(64) key, found_at datetime, seen_at datetime, told_at datetime null`,
      // Processes of the service that run.
      running_instances: `
        id binary(16) key, name varchar(100), folder_id varchar(32), key_id binary(4),
        alive_until datetime`,
      // Submissions sent twice at once; each stands with the one that came first.
      submission_repeats: `
        id binary(16) key, form_id int, submission_id binary(16),
        ix_submission_repeats_submission (submission_id, id)`,
    });
    await extendTables(runner, {
      forms: `
        field_rules mediumtext null, intake_gate mediumtext null, dialect varchar(16) null,
        visitor_mail mediumtext null`,
      submissions: `language varchar(35) null, subject varchar(255) null`,
      deliveries: `
        destination_id binary(16) null, of_account boolean default 0, asked_for boolean default 0,
        ix_deliveries_destination (destination_id, id)`,
      form_webhooks: `
        format varchar(32) default 'standard', signature varchar(32) default 'standard'`,
      submission_acts: `changes mediumtext null`,
    });
  }
}

interface WebhookRow {
  form_id: number;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | string | null;
  format: string;
  signature: string;
}

/**
 * Makes a destination of the webhook of each form, with the id that its form gives it. The table of webhooks stays as it was,
 * for instances of the version before and for who goes back to it.
 */
export class WebhooksAreDestinations extends Migration {
  readonly name = 'WebhooksAreDestinations1766847400000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasTable('form_webhooks'))) return;
    const rows = (await runner.query('SELECT * FROM form_webhooks')) as WebhookRow[];
    for (const { form_id: form, format, signature, secret, ...former } of rows) {
      const id = Buffer.from(`00000000000080008003${form.toString(16).padStart(12, '0')}`, 'hex');
      const { previous_secret, previous_secret_until: until } = former;
      const end = typeof until === 'string' ? new Date(`${until.replace(' ', 'T')}Z`) : until;
      const secrets = { secret, ...(previous_secret !== null && end && { previous_secret, previous_until: end }) };
      // Left in clear, since a migration has no key.
      const sealed = `clear:${JSON.stringify(secrets)}`;
      await runner.query('DELETE FROM destinations WHERE id = ?', [id]);
      await runner.query(
        `INSERT INTO destinations (id, account_id, form_id, position, name, kind, settings, sealed,
            matching, conditions, paused_at, failing_since, created_at)
          SELECT ?, f.account_id, f.id, 0, 'Webhook', 'webhook', ?, ?, 'all', '[]', w.disabled_at,
            w.failing_since, f.created_at
          FROM form_webhooks w JOIN forms f ON f.id = w.form_id WHERE w.form_id = ?`,
        [id, JSON.stringify({ format, signature }), sealed, form],
      );
    }
  }
}

interface FieldsRow {
  id: number;
  field_labels: string | null;
  field_rules: string | null;
  preview_fields: string | null;
}

interface OldRule {
  field: string;
  type?: string;
  oneOf?: string[];
}

/**
 * Makes one list of fields of the labels, the rules and the preview of each form. Their columns stay as they were, for
 * instances of the version before; the preview goes on.
 */
export class FieldsAreOneList extends Migration {
  readonly name = 'FieldsAreOneList1766933800000';

  async up(runner: QueryRunner): Promise<void> {
    await extendTables(runner, { forms: `form_fields mediumtext null` });
    const rows = (await runner.query(
      `SELECT id, field_labels, field_rules, preview_fields FROM forms WHERE field_labels IS NOT NULL
        OR field_rules IS NOT NULL OR preview_fields LIKE '[%'`,
    )) as FieldsRow[];
    for (const { id, field_labels, field_rules, preview_fields } of rows) {
      const fields = new Map<string, object>();
      const add = (name: string, more: object) =>
        fields.set(name, { name, kind: 'text', ...fields.get(name), ...more });
      const labels = JSON.parse(field_labels ?? '[]') as [string, string][];
      for (const [name, label] of labels) add(name, { label });
      const { rules, onFailure } = JSON.parse(field_rules ?? '{"rules":[],"onFailure":"refuse"}') as {
        rules: OldRule[];
        onFailure: string;
      };
      for (const { field, type = 'text', oneOf, ...rule } of rules) {
        add(field, { kind: type, ...rule, ...(oneOf && { kind: 'choices', choices: oneOf }) });
      }
      const shown = preview_fields?.startsWith('[') ? (JSON.parse(preview_fields) as string[]) : [];
      for (const name of shown) add(name, { inInbox: true });
      const text = JSON.stringify({ fields: [...fields.values()], onFailure });
      await runner.query('UPDATE forms SET form_fields = ? WHERE id = ?', [text, id]);
    }
  }
}

/** Adds the statuses of forms, counts of what was imported, and names of who invites. */
export class FormsHaveStatuses extends Migration {
  readonly name = 'FormsHaveStatuses1767020200000';

  async up(runner: QueryRunner): Promise<void> {
    await extendTables(runner, {
      forms: `statuses varchar(500) null`,
      submission_counts: `imported int default 0`,
      sign_in_links: `inviter varchar(255) null`,
    });
  }
}

/** Makes one table of what is wrong with forms, accounts and the service, with what was told of it. */
export class FindingsAreOneTable extends Migration {
  readonly name = 'FindingsAreOneTable1767106600000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, {
      findings: `
        kind varchar(8) key, subject_id int key, code varchar(64) key, account_id int,
        severity varchar(8), text text, fix text, since datetime null,
        of_account boolean, found_at datetime,
        seen_at datetime, is_open boolean, told_at datetime null, ended_at datetime null,
        ix_findings_account (account_id, is_open, kind, subject_id), ix_findings_told (account_id, told_at)`,
    });
    if (!(await runner.hasTable('form_alarms'))) return;
    await runner.query('DELETE FROM findings');
    await runner.query(
      `INSERT INTO findings (kind, subject_id, code, account_id, severity, text, fix, of_account, found_at,
          seen_at, is_open, told_at, ended_at)
        SELECT 'form', form_id, code, account_id, 'urgent', message, '', FALSE, found_at,
          COALESCE(over_at, found_at), over_at IS NULL, told_at, ended_at FROM form_alarms
        UNION ALL SELECT 'service', 0, check_name, 0, 'urgent', '', '', FALSE, found_at, seen_at, TRUE, told_at,
          NULL FROM operator_alarms`,
    );
    await runner.dropTable('operator_alarms');
    await runner.dropTable('form_alarms');
  }
}

/**
 * Makes jobs of digests of views, recipients of reports, canaries and imports. The table of digests stays as it was, for
 * instances of the version before.
 */
export class WorkIsJobs extends Migration {
  readonly name = 'WorkIsJobs1767106700000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, {
      jobs: `
        id binary(16) key, kind varchar(16), account_id int, client_id int null,
        subject varchar(32), recipient varchar(255), next_at datetime, state text null,
        tries int default 0, deaths int default 0, lease_token binary(16) null,
        lease_until datetime,
        uq_jobs_subject (kind, subject, recipient), ix_jobs_due (kind, next_at),
        ix_jobs_account (account_id, kind, lease_until)`,
    });
    const add = async (
      from: string,
      [kind, client, subject, recipient, state, where]: string[],
      due = 'CAST(next_at AS CHAR)',
    ) => {
      const rows = (await runner.query(
        `SELECT id, ${kind} AS kind, account_id, ${client} AS client_id, ${subject} AS subject,
          ${recipient} AS recipient, ${due} AS next_at, ${state} AS state,
          '2000-01-01 00:00:00.000' AS lease_until
          FROM ${from} WHERE ${where} AND id NOT IN (SELECT id FROM jobs)`,
      )) as object[];
      for (const row of rows) {
        const [names, values] = [Object.keys(row), Object.values(row)];
        const marks = names.map(() => '?').join();
        await runner.query(`INSERT INTO jobs (${names.join()}) VALUES (${marks})`, values);
      }
    };
    const zone = `COALESCE((SELECT time_zone FROM people WHERE people.id = person_id), 'UTC')`;
    const state = `'{"every":"$1","timeZone":"$2","toldUpTo":"$3"}'`;
    await add('view_digests', [
      ...["'view_digest'", 'client_id', 'LOWER(HEX(view_id))', 'CAST(person_id AS CHAR)'],
      `REPLACE(REPLACE(REPLACE(${state}, '$1', every), '$2', ${zone}), '$3', LOWER(HEX(told_up_to)))`,
      '1 = 1',
    ]);
    if (await runner.hasColumn('form_canaries', 'next_at')) {
      const canary = ["'canary'", 'NULL', 'CAST(form_id AS CHAR)', "''", 'NULL'];
      await add('form_canaries', [...canary, `schedule <> 'off'`]);
      await dropColumns(runner, 'form_canaries', 'ix_form_canaries_due', ['next_at']);
    }
    if (await runner.hasColumn('imports', 'lost_leases')) {
      const open = `state IN ('waiting', 'running', 'undoing')`;
      const entry = ["'import'", 'client_id', 'LOWER(HEX(id))', "''", 'NULL', open];
      await add('imports', entry, "'2000-01-01 00:00:00.000'");
      await dropColumns(runner, 'imports', 'ix_imports_state', ['lost_leases']);
      await extendTables(runner, { imports: `ix_imports_state (state)` });
    }
    if (!(await runner.hasTable('report_recipients'))) return;
    // Two requests at once may have entered an address twice.
    const first = `id IN (SELECT MIN(id) FROM report_recipients GROUP BY account_id, client_id, LOWER(email))`;
    const report = ["'report'", 'client_id', 'CAST(client_id AS CHAR)', 'email', 'NULL'];
    await add('report_recipients', [...report, `client_id <> 0 AND ${first}`]);
    const week = ["'week'", 'NULL', 'CAST(account_id AS CHAR)', 'email', 'NULL'];
    await add('report_recipients', [...week, `client_id = 0 AND ${first}`]);
    await runner.dropTable('report_recipients');
  }
}

/** Takes the lease of rows away, the columns named here last: without them it is done. */
async function dropColumns(runner: QueryRunner, table: string, lease: string, last: string[]) {
  const index = (await runner.getTable(table))?.indices.find(({ name }) => name === lease);
  if (index) await runner.dropIndex(table, index);
  for (const column of ['lease_token', 'lease_until', ...last])
    if (await runner.hasColumn(table, column)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

const SUMS = {
  ...{ submissions: 'submissions', imported: 'imported', spam: 'spam' },
  ...{ mailsDelivered: 'mails_delivered', mailsLate: 'mails_late', mailsFailed: 'mails_failed' },
  ...{ callsDelivered: 'calls_delivered', callsLate: 'calls_late', callsFailed: 'calls_failed' },
};
const FACET_NAMES = ["'page'", "'origin'", "'country'", "CONCAT('field:', v.name)"];
const NO_DIGEST = "'0000000000000000'";
const ITEM = `CASE HEX(v.digest) WHEN ${NO_DIGEST} THEN 'other' ELSE LOWER(HEX(v.digest)) END`;
const FORM = 'CASE v.form_id WHEN 0 THEN -v.account_id ELSE v.form_id END';

/**
 * Moves all that is counted by the hour into one table. The tables before stay as they were, for instances of the version
 * before and for who goes back to it. Values of fields with too many have no names, and do not come along.
 */
export class CountersAreOneTable extends Migration {
  readonly name = 'CountersAreOneTable1767106800000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, {
      counters: `
        form_id int key, length int key, name varchar(80) key, begins int key, item varchar(16) key,
        amount int, text varchar(320) null, without rowid`,
    });
    // What an interrupted run has moved.
    await runner.query('DELETE FROM counters');
    const add = (select: string, values: unknown[] = []) =>
      runner.query(`INSERT INTO counters (form_id, length, name, begins, item, amount, text) SELECT ${select}`, values);
    for (const [item, column] of Object.entries(SUMS)) {
      await add(`${FORM}, length, 'received', begins, '${item}', ${column}, NULL
        FROM submission_counts v WHERE ${column} <> 0`);
    }
    for (const [at, name] of FACET_NAMES.entries()) {
      await add(`${FORM}, c.length, ${name}, c.begins, ${ITEM}, c.submissions, NULL
        FROM facet_values v JOIN facet_counts c ON c.account_id = v.account_id AND c.form_id = v.form_id
          AND c.facet = v.facet AND c.digest = v.digest WHERE v.facet = ${at + 1}`);
      await add(`${FORM}, 0, ${name}, 0, ${ITEM}, 0, v.text FROM facet_values v
        WHERE v.facet = ${at + 1} AND HEX(v.digest) <> ${NO_DIGEST}`);
    }
    if (await runner.hasTable('form_refusals')) {
      const reasons = (await runner.query(
        'SELECT form_id, code, field FROM form_refusals GROUP BY form_id, code, field',
      )) as { form_id: number; code: string; field: string }[];
      for (const { form_id: form, code, field } of reasons) {
        const item = hash('sha256', `${code.length}:${code}${field}`).slice(0, 16);
        await add(
          `form_id, 1, 'refused', hour, '${item}', amount, NULL FROM form_refusals
          WHERE form_id = ? AND code = ? AND field = ?`,
          [form, code, field],
        );
        await add("?, 0, 'refused', 0, ?, 0, ?", [form, item, `${code} ${field}`]);
      }
    }
    // Rows of 32 days, where days alone were counted.
    await add(`form_id, 768, name, begins - begins % 768, item, SUM(amount), NULL FROM counters
      WHERE (length = 24 AND name = 'received') OR (length = 1 AND name = 'refused')
      GROUP BY form_id, name, begins - begins % 768, item`);
    await add(`form_id, 24, name, begins - begins % 24, item, SUM(amount), NULL FROM counters
      WHERE length = 1 AND name = 'refused' GROUP BY form_id, name, begins - begins % 24, item`);
  }
}

/** Adds the language of visitors, the owner's texts in other languages and the page of a form. */
export class FormsHaveLanguages extends Migration {
  readonly name = 'FormsHaveLanguages1767193200000';
  up(runner: QueryRunner): Promise<void> {
    return extendTables(runner, {
      forms: `language varchar(16) null, translations mediumtext null, visitor_page mediumtext null`,
    });
  }
}
