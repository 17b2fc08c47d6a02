import { DataSource, type Logger } from 'typeorm';
import { StatementLog } from '../../src/platform/database/data-source.js';
import { CountersAreOneTable } from '../../src/platform/database/migrations/next.js';
import { insertStatement, runStatements } from '../../src/platform/database/sql.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { migrate } from '../../src/platform/database/database-status.js';
import { Counting } from '../../src/statistics/counting.service.js';
import { RefusalsService } from '../../src/health/watch/refusals.service.js';
import { HOUR_MS } from '../support/clock.js';
import { useForm, useOwner, useService } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);

const { name: MIGRATION } = new CountersAreOneTable();
/** At eleven in the morning of a day of UTC. */
const HOUR = 489_995;
const DAY = HOUR - 11;
const ofDay = (at: number) => new Date(at * HOUR_MS).toISOString().slice(0, 10);
const TWO_DAYS = `from=${ofDay(DAY)}&to=${ofDay(DAY + 48)}`;

/** Makes the counts of a form as the version before left them, and has them moved. */
async function upgrade(accountId: number): Promise<void> {
  const { app } = service();
  const database = app.get(DataSource);
  const insert = (table: string, columns: string, rows: unknown[][]) =>
    runStatements(database.manager, insertStatement(table, columns.split(','), rows));
  const ofAll = (...row: unknown[]) => [form.id, 0].map((id) => [accountId, id, ...row]);
  const outcomes = ['mails', 'calls'].flatMap((kind) =>
    ['delivered', 'late', 'failed'].map((fate) => `${kind}_${fate}`),
  );
  await insert(
    'submission_counts',
    `account_id,form_id,length,begins,submissions,spam,imported,${outcomes.join(',')}`,
    [
      ...ofAll(1, HOUR, 7, 2, 1, 3, 1, 1, 4, 0, 2),
      ...ofAll(1, HOUR + 24, 5, 0, 0, 0, 0, 0, 0, 0, 0),
      ...ofAll(24, DAY, 7, 2, 1, 3, 1, 1, 4, 0, 2),
      ...ofAll(24, DAY + 24, 5, 0, 0, 0, 0, 0, 0, 0, 0),
    ],
  );
  const [page, none] = [Buffer.from('0011223344556677', 'hex'), Buffer.alloc(8)];
  const values: [facet: number, digest: Buffer, name: string, text: string | null][] = [
    [1, page, '', '/contact'],
    [1, none, '', null],
    [4, page, 'topic', 'Sales & more'],
    [4, none, 'topic', null],
    [5, Buffer.from('8899aabbccddeeff', 'hex'), 'question', null],
  ];
  await insert(
    'facet_values',
    'account_id,form_id,facet,digest,name,text,seen,going',
    values.map((value) => [accountId, form.id, ...value, 0, 0]),
  );
  await insert(
    'facet_counts',
    'account_id,form_id,facet,digest,length,begins,submissions',
    values.flatMap(([facet, digest], at) =>
      [1, 24, 768].map((length) => {
        return [accountId, form.id, facet, digest, length, HOUR - (HOUR % length), 5 - at];
      }),
    ),
  );
  // Builds between two releases had a table for these.
  await database.query(`CREATE TABLE form_refusals (form_id INT, hour INT, code VARCHAR(64),
    field VARCHAR(255), account_id INT, amount INT, PRIMARY KEY (form_id, hour, code, field))`);
  await insert('form_refusals', 'form_id,hour,code,field,account_id,amount', [
    [form.id, HOUR, 'required', 'email', accountId, 3],
    [form.id, HOUR + 1, 'empty', '', accountId, 1],
  ]);
  await database.query('DROP TABLE counters');
  await database.query('DELETE FROM migrations WHERE name = ?', [MIGRATION]);
  const log = jest.spyOn(StatementLog.prototype as Logger, 'logQuery');
  log.mockImplementation((sql) => {
    if (sql.includes("'refused'")) throw new Error('interrupted');
  });
  await expect(migrate(database)).rejects.toThrow('interrupted');
  log.mockRestore();
  await migrate(database);
  await database.query('DROP TABLE form_refusals');
}

it('An upgrade moves all counts into one table, and no number changes', async () => {
  await upgrade((await owner.read('/api/v1/me')).account.id);

  const totals = {
    ...{ submissions: 12, spam: 2, imported: 1 },
    mails: { delivered: 3, late: 1, failed: 1 },
    calls: { delivered: 4, late: 0, failed: 2 },
  };
  const ofForm = `/api/v1/forms/${form.identifier}` as const;
  for (const path of [`${ofForm}/statistics`, '/api/v1/statistics'] as const) {
    for (const more of ['', '&by=hour', '&by=month', '&zone=Asia/Kolkata']) {
      expect(await owner.read(`${path}?${TWO_DAYS}${more}`)).toMatchObject({ totals });
    }
  }
  for (const query of [TWO_DAYS, `${TWO_DAYS}&zone=Asia/Kolkata`, `from=2025-01-01&to=2027-01-01`]) {
    expect(await owner.read(`${ofForm}/statistics/pages?${query}`)).toMatchObject({
      pages: { values: [{ value: '/contact', submissions: 5 }], other: 4 },
    });
    expect(await owner.read(`${ofForm}/statistics/values?${query}`)).toMatchObject({
      fields: [{ field: 'topic', values: [{ value: 'Sales & more', submissions: 3 }], other: 2 }],
    });
  }
  expect([...(await service().app.get(RefusalsService).lately([form.id], DAY))]).toEqual([
    [
      form.id,
      [
        { hour: HOUR, code: 'required', field: 'email', amount: 3 },
        { hour: HOUR + 1, code: 'empty', field: '', amount: 1 },
      ],
    ],
  ]);
});

it('Counts are exact when instances write at once, and an hour without a row is empty', async () => {
  const { app } = service();
  const counting = app.get(Counting);
  const add = (hour: number) =>
    app
      .get(UnitOfWork)
      .run((tx) => counting.addReceived(tx, [{ formId: form.id, hour, submissions: 1, mailsLate: 2, spam: 3 }]));
  await Promise.all(Array.from({ length: 12 }, (_, n) => add(HOUR + (n % 2) * 24)));
  await service().query('DELETE FROM counters WHERE length = 1 AND begins = ?', [HOUR + 24]);

  const path = `/api/v1/forms/${form.identifier}/statistics` as const;
  const byDay = await owner.read(`${path}?${TWO_DAYS}`);
  expect(byDay.totals).toMatchObject({ submissions: 12, spam: 36, mails: { late: 24 } });
  const byHour = await owner.read(`${path}?${TWO_DAYS}&by=hour`);
  expect(byHour.buckets).toHaveLength(48);
  expect(byHour.totals.submissions).toBe(6);
});
