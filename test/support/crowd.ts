import { DataSource } from 'typeorm';
import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/sql.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { HOUR_MS } from '../../src/platform/kernel/time.js';
import { formatUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { RECEIVED, beginOf, LENGTHS } from '../../src/statistics/sums.js';
import { accountOf } from './people.js';
import { idOf } from './fill.js';
import type { Caller, Service } from './service.js';

/** Submissions of each form. */
const ROWS = 2;
/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 500;

/** Data of an account: ids of submissions are in the order of the forms. */
export interface Crowd {
  forms: { id: number; identifier: string }[];
  /** Newest first. */
  submissions: { id: string; formId: number }[];
}

/** Makes many forms with a few submissions, all of them starred and counted today, by SQL. */
export async function makeForms({ app }: Service, owner: Caller, count: number): Promise<Crowd> {
  const first = await owner.makeForm();
  const accountId = await accountOf(owner);
  const forms = Array.from({ length: count }, (_, n) => {
    const id = first.id + 1_000 + n;
    return { id, identifier: `${first.identifier.slice(0, 8)}${id.toString(16).padStart(8, '0')}` };
  });
  const submissions = forms.flatMap(({ id: formId }) =>
    Array.from({ length: ROWS }, (_, n) => ({ id: idOf({ formId, rows: ROWS }, n), formId, n })),
  );
  const tables: [string, string, unknown[][]][] = [
    [
      'forms',
      'id,account_id,identifier,name,submission_text,notify_owner_on_submission,show_submitted_values,created_at,submission_count',
      forms.map(({ id, identifier }) => [
        ...[id, accountId, identifier, `Form ${id} of Ödön`, '', 0, 0, sqlDate(new Date(0)), ROWS],
      ]),
    ],
    [
      'submissions',
      'id,form_id,account_id,trash,spam,done,created_at,payload,search_text',
      submissions.map(({ id, formId, n }) => [
        ...[id, formId, accountId, 0, 0, 0, sqlDate(timeOf(id))],
        ...[JSON.stringify([['message', `Number ${n} of ${formId}, wedding`]]), ''],
      ]),
    ],
    ['submission_marks', 'submission_id,mark,form_id', submissions.map(({ id, formId }) => [id, 'starred', formId])],
  ];
  const hour = Math.floor(Date.now() / HOUR_MS);
  tables.push([
    'counters',
    'form_id,length,name,begins,item,amount',
    forms.flatMap(({ id }) =>
      LENGTHS.map((length) => [id, length, RECEIVED, beginOf(hour, length), 'submissions', ROWS]),
    ),
  ]);
  for (const [table, columns, rows] of tables) await insert(app, table, columns, rows);
  submissions.sort((a, b) => b.id.compare(a.id));
  return { forms, submissions: submissions.map(({ id, formId }) => ({ id: formatUuid(id), formId })) };
}

/** Makes many clients who see the first of these forms, by SQL. */
export async function makeClients(
  { app }: Service,
  owner: Caller,
  forms: readonly { id: number }[],
  count: number,
): Promise<void> {
  const first = await owner.makeClient();
  const accountId = await accountOf(owner);
  const ids = Array.from({ length: count }, (_, n) => first + 1_000 + n);
  const clients = ids.map((id) => {
    const email = `client-${id}@example.com`;
    return [id, accountId, `Client ${id}`, email, email, 0];
  });
  const columns = 'id,account_id,name,email,email_key,can_create_forms';
  const grants = ids.map((id, n) => [id, forms[n % forms.length]?.id]);
  await insert(app, 'clients', columns, clients);
  await insert(app, 'form_grants', 'client_id,form_id', grants);
}

async function insert(app: Service['app'], table: string, columns: string, rows: unknown[][]): Promise<void> {
  await app.get(UnitOfWork).run(async (tx) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE);
      await runStatements(tx, insertStatement(table, columns.split(','), some));
    }
  });
}

/** Lets submissions look as older versions stored them. */
export async function forgetAccounts({ app }: Service): Promise<void> {
  await app.get(DataSource).query('UPDATE submissions SET account_id = 0');
}
